import { expect } from "chai";
import { endSession } from "../../../../server/features/session/sessions.ts";
import type { Client } from "../../support/client.ts";
import { openSocket } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

interface Listed {
  readonly id: string;
  readonly current: boolean;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
}

describe("The list of a user's sessions (D41)", () => {
  let server: TestServer;
  let phone: Client;
  let desk: Client;

  beforeEach(async () => {
    server = await startServer();
    phone = await server.signIn("owner@example.org");
    server.clock.advance(60_000);
    desk = await server.signIn("owner@example.org");
  });
  afterEach(() => server.stop());

  const list = async (client: Client): Promise<readonly Listed[]> =>
    ((await client.call("GET", "/account/sessions")).json as { sessions: readonly Listed[] }).sessions;
  const isIn = async (client: Client): Promise<boolean> =>
    (await client.call("GET", "/account")).status === 200;
  const idOf = async (client: Client): Promise<string> =>
    (await list(client)).find(({ current }) => current)?.id ?? "";

  it("shows place and time of each, the requesting one first", async () => {
    await server.signIn("stranger@example.org");
    for (const client of [phone, desk]) {
      const sessions = await list(client);
      expect(sessions.map(({ current }) => current)).to.deep.equal([true, false]);
      for (const { userAgent, createdAt, lastUsedAt } of sessions) {
        expect(userAgent).to.equal("node");
        expect(Date.parse(lastUsedAt)).to.be.at.least(Date.parse(createdAt));
        expect(createdAt).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      }
    }
    expect(JSON.stringify(await list(phone)), "nothing that opens a session").not.to.match(/hash|secret/);
  });

  it("shows when a session was last used, to within five minutes", async () => {
    const [before] = await list(desk);
    server.clock.advance(6 * 60_000);
    await desk.call("GET", "/account");
    const [after] = await list(desk);
    expect(Date.parse(after?.lastUsedAt ?? "") - Date.parse(before?.lastUsedAt ?? "")).to.be.above(
      5.9 * 60_000,
    );
  });

  it("ends one that another process has deleted with the next request", async () => {
    expect(await isIn(desk)).to.equal(true);
    const id = await idOf(desk);
    const { user_id: userId } = await server.database.db
      .selectFrom("sessions")
      .where("id", "=", id)
      .select("user_id")
      .executeTakeFirstOrThrow();
    await server.database.transaction((db) =>
      endSession(db, { userId, sessionId: id, now: server.clock.now() }),
    );
    expect([await isIn(desk), await isIn(phone)]).to.deep.equal([false, true]);
  });

  it("ends one immediately, with its token, its refresh and its sockets", async () => {
    const socket = await openSocket(server.origin, desk);
    const ended = await phone.call("DELETE", `/account/sessions/${await idOf(desk)}`);
    expect(ended.status).to.equal(200);
    expect((await socket.closed).code).to.equal(1008);
    expect(await isIn(desk)).to.equal(false);
    expect((await desk.refresh()).status).to.equal(401);
    expect(await list(phone)).to.have.length(1);
  });

  it("ends the requesting one as a logout does, cookies included", async () => {
    await phone.call("DELETE", `/account/sessions/${await idOf(phone)}`);
    expect(phone.cookies.has("maskSession")).to.equal(false);
    expect(await isIn(phone)).to.equal(false);
    expect(await isIn(desk)).to.equal(true);
  });

  it("ends all the others immediately, with their tokens, their refreshes and their sockets", async () => {
    const tablet = await server.signIn("owner@example.org");
    const stranger = await server.signIn("stranger@example.org");
    const sockets = [await openSocket(server.origin, desk), await openSocket(server.origin, tablet)];
    const { status, json } = await phone.call("DELETE", "/account/sessions");
    expect([status, json]).to.deep.equal([200, { ended: 2 }]);
    for (const socket of sockets) expect((await socket.closed).code).to.equal(1008);
    expect([await isIn(desk), await isIn(tablet), await isIn(phone), await isIn(stranger)]).to.deep.equal([
      false,
      false,
      true,
      true,
    ]);
    expect((await desk.refresh()).status).to.equal(401);
    expect((await phone.call("DELETE", "/account/sessions")).json, "nothing more to end").to.deep.equal({
      ended: 0,
    });
  });

  it("answers 404 for a session of another user, for an ended one, and for an invalid id", async () => {
    const stranger = await server.signIn("stranger@example.org");
    const ended = await idOf(desk);
    await desk.call("POST", "/logout");
    for (const id of [await idOf(stranger), ended, "%00", "a".repeat(100), "' or 1=1 --"]) {
      const { status, json } = await phone.call("DELETE", `/account/sessions/${id}`);
      expect([status, json], id).to.deep.equal([404, { message: "This session has ended already." }]);
    }
    expect(await isIn(stranger)).to.equal(true);
  });
});
