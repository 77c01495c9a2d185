import { expect } from "chai";
import type { ApiScope } from "../../../../core/api/apiScope.ts";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import { revokeAllApiTokens } from "../../../../server/features/apiTokens/apiTokenQueries.ts";
import { EventStream } from "../../../../server/platform/events/eventStream.ts";
import { dataUpdate } from "../../../../server/platform/socket/socketFeature.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { appendEvent } from "../../../../server/platform/store/events.ts";
import { bystander } from "../../support/bystander.ts";
import { type Client, copyClient } from "../../support/client.ts";
import { onEachDatabase, usePostgresql } from "../../support/databases.ts";
import { type EventReader, openEvents } from "../../support/eventReader.ts";
import { userIdOf } from "../../support/notify.ts";
import { newSecrets } from "../../support/serverContext.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import type { TestStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

/** A store that outlives the server that uses it. */
const shared = (database: Database): TestStore => ({
  name: "shared",
  isAvailable: () => true,
  open: async () => ({ ...database, close: async () => {} }),
});

const isOf = (resource: string, action?: string) => (message: { readonly data: Record<string, unknown> }) =>
  message.data["resource"] === resource && (action === undefined || message.data["action"] === action);

describe("The stream of changes", () => {
  onEachDatabase(({ database, another }) => {
    let servers: readonly [TestServer, TestServer];
    let owner: Client;
    let readers: EventReader[];

    beforeEach(async () => {
      const secrets = newSecrets();
      servers = [
        await startServer({ store: shared(database()), secrets, defaultTier: "self_hosted" }),
        await startServer({ store: shared(await another()), secrets, defaultTier: "self_hosted" }),
      ];
      owner = await servers[0].signIn("owner@home.example");
      readers = [];
    });
    afterEach(async () => {
      for (const { close } of readers) close();
      for (const server of servers) await server.stop();
    });

    const madeToken = async (
      scopes: readonly ApiScope[] = ["masks:read"],
      client = owner,
    ): Promise<{ readonly id: string; readonly token: string }> => {
      const { json } = await client.call("POST", "/account/api-tokens", {
        body: { name: "Script", scopes, domain: null, lifetimeDays: 90 },
      });
      const { apiToken, token } = json as { apiToken: { id: string }; token: string };
      return { id: apiToken.id, token };
    };
    const open = async (
      token: string,
      { on = servers[0], lastId }: { on?: TestServer; lastId?: string } = {},
    ): Promise<EventReader> => {
      const reader = await openEvents(
        on.origin,
        token,
        lastId === undefined ? {} : { "last-event-id": lastId },
      );
      readers.push(reader);
      if (reader.status === 200) await until("the stream has begun", () => reader.lastId() !== "");
      return reader;
    };
    const create = async (description: string, by = owner): Promise<{ readonly id: string }> =>
      (await by.call("POST", "/masks", { body: { description } })).json as { id: string };

    it("tells a token in every process what the socket tells, with the thing as the API answers it", async () => {
      const { token } = await madeToken();
      const [here, there] = [await open(token), await open(token, { on: servers[1] })];
      const { id } = await create("Shop");
      const { json: entity } = await owner.call("GET", `/masks/${id}`);
      for (const { waitFor } of [here, there]) {
        const { type, data } = await waitFor("the mask", isOf("masks"));
        expect(type).to.equal("data_update");
        expect(data).to.deep.equal({ resource: "masks", resourceId: id, action: "created", entity });
      }
      await owner.call("DELETE", `/masks/${id}`);
      const deleted = await there.waitFor("the deletion", isOf("masks", "deleted"));
      expect(deleted.data).to.deep.include({ resourceId: id, entity: null });
    });

    it("is not kept back or stored on its way, and is open to pages of all origins", async () => {
      const { token } = await madeToken();
      const { headers, text } = await open(token);
      expect(headers.get("content-type")).to.equal("text/event-stream; charset=utf-8");
      expect(headers.get("cache-control")).to.equal("no-store");
      expect(headers.get("x-accel-buffering")).to.equal("no");
      expect(headers.get("access-control-allow-origin")).to.equal("*");
      expect(text()).to.match(/^retry: 3000\n\n:\nid: \S+\n\n/);
    });

    it("tells of the log and the account only what the token may read there", async () => {
      const few = await open((await madeToken()).token);
      const more = await open((await madeToken(["masks:read", "account:read"])).token);
      await create("Shop");
      await more.waitFor("the account", isOf("account"));
      await few.waitFor("the mask", isOf("masks"));
      await create("Bakery");
      await until("both were told", () => few.messages.filter(isOf("masks")).length === 2);
      expect(few.messages.map(({ data }) => data["resource"])).to.deep.equal(["masks", "masks"]);
    });

    it("tells nobody of another user's changes, and resumes nothing of theirs", async () => {
      const other = await servers[0].signIn("other@home.example");
      const [mine, theirs] = [await madeToken(), await madeToken(["masks:read"], other)];
      const [me, them] = [await open(mine.token), await open(theirs.token)];
      await create("Shop");
      await me.waitFor("the mask", isOf("masks"));
      await create("Garden", other);
      await them.waitFor("their mask", isOf("masks"));
      expect(me.messages).to.have.length(1);
      expect(them.messages).to.have.length(1);
      const resumed = await open(theirs.token, { lastId: me.lastId() });
      expect((await resumed.waitFor("a beginning", () => true)).type).to.equal("reset");
    });

    it("resumes in another process by the last id, and loses no change wherever it was cut off", async () => {
      const { token } = await madeToken();
      const first = await open(token);
      const ids = [first.lastId()];
      const masks: string[] = [];
      for (const name of ["a", "b", "c", "d"]) {
        const { id } = await create(name, masks.length % 2 ? copyClient(servers[1].origin, owner) : owner);
        masks.push(id);
        const { id: eventId } = await first.waitFor(name, ({ data }) => data["resourceId"] === id);
        ids.push(eventId);
      }
      first.close();
      for (const [known, lastId] of ids.entries()) {
        const resumed = await open(token, { on: servers[1], lastId });
        const { id } = await create(`after ${known}`);
        masks.push(id);
        await resumed.waitFor("the last", ({ data }) => data["resourceId"] === id);
        const told = new Set(resumed.messages.map(({ data }) => data["resourceId"]));
        expect(resumed.messages.map(({ type }) => type)).not.to.include("reset");
        expect([...masks.slice(known)].filter((mask) => !told.has(mask))).to.deep.equal([]);
        resumed.close();
      }
    });

    it("says so when what was missed is not kept any more, also for an id that nobody gave", async () => {
      const { token } = await madeToken();
      await create("Before");
      const first = await open(token);
      // PostgreSQL goes on from a change only after a while.
      for (const { clock } of servers) clock.advance(hourMs);
      await create("Shop");
      for (const { clock } of servers) clock.advance(hourMs);
      const later = await open(token);
      const lastId = later.lastId();
      first.close();
      later.close();
      await create("Bakery");
      const resumed = await open(token, { lastId });
      expect(resumed.messages.map(({ type }) => type)).not.to.include("reset");
      await database().db.deleteFrom("events").where("user_id", "!=", bystander.id).execute();
      await create("Garden");
      for (const id of [lastId, "17", "x".repeat(2_000)]) {
        const reader = await open(token, { lastId: id });
        const { type, data } = await reader.waitFor("a beginning", () => true);
        expect([type, Object.keys(data)]).to.deep.equal(["reset", ["message"]]);
      }
    });

    it("ends in every process when its token is revoked", async () => {
      const [{ token, id }, kept] = [await madeToken(), await madeToken()];
      const ending = [await open(token), await open(token, { on: servers[1] })];
      const other = await open(kept.token);
      await owner.call("DELETE", `/account/api-tokens/${id}`);
      await until("both have ended", () => ending.every(({ hasEnded }) => hasEnded()));
      expect(other.hasEnded()).to.equal(false);
      expect((await open(token)).status).to.equal(401);
    });

    it("ends when the operator suspends the account, and when it is deleted", async () => {
      const { token } = await madeToken();
      const reader = await open(token, { on: servers[1] });
      const userId = await userIdOf(database(), "owner@home.example");
      await database().transaction(async (db) => {
        await db.updateTable("users").set({ suspended: 1 }).where("id", "=", userId).execute();
        await revokeAllApiTokens(db, userId, Date.now());
      });
      await until("it has ended", () => reader.hasEnded());
    });
  });

  describe("on PostgreSQL, which assigns ids before it commits", () => {
    const { database, another } = usePostgresql();

    it("tells after a resumption what was committed after a change with a higher id", async () => {
      const server = await startServer({ store: shared(database()) });
      const owner = await server.signIn("owner@home.example");
      const { json } = await owner.call("POST", "/account/api-tokens", {
        body: { name: "Script", scopes: ["masks:read"], domain: null, lifetimeDays: 90 },
      });
      const { token } = json as { token: string };
      const userId = await userIdOf(database(), "owner@home.example");
      const change = (resourceId: string) => ({ userId, resource: "domains", resourceId, action: "updated" });
      const reader = await openEvents(server.origin, token);
      await until("the stream has begun", () => reader.lastId() !== "");
      const second = await another();
      const told = ({ messages }: EventReader) => messages.map(({ data }) => data["resourceId"]);
      await second.transaction(async (db) => {
        await appendEvent(db, change("slow"), Date.now());
        await appendEvent(database().db, change("quick"), Date.now());
        server.context.feed.wake();
        await until("the quick one was told", () => told(reader).includes("quick"));
        reader.close();
      });
      const resumed = await openEvents(server.origin, token, { "last-event-id": reader.lastId() });
      await until("the slow one was told", () => told(resumed).includes("slow"));
      resumed.close();
      await server.stop();
    });
  });

  describe("of one server", () => {
    let server: TestServer;
    let owner: Client;
    beforeEach(async () => {
      server = await startServer({ clockStands: true });
      owner = await server.signIn("owner@home.example");
    });
    afterEach(() => server.stop());
    const madeToken = async (lifetimeDays: number | null = 90): Promise<string> => {
      const { json } = await owner.call("POST", "/account/api-tokens", {
        body: { name: "Script", scopes: ["masks:read"], domain: null, lifetimeDays },
      });
      return (json as { token: string }).token;
    };

    it("is refused to a session, with cookies or without, and to a token without the scope", async () => {
      const { status, json } = await owner.call("GET", "/events");
      expect([status, json]).to.deep.equal([
        401,
        { message: "This address needs an API token. Create one in Settings." },
      ]);
      expect((await server.client().call("GET", "/events")).status).to.equal(401);
      const made = await owner.call("POST", "/account/api-tokens", {
        body: { name: "Maker", scopes: ["masks:create"], domain: null, lifetimeDays: 90 },
      });
      const refused = await openEvents(server.origin, (made.json as { token: string }).token);
      expect(refused.status).to.equal(403);
      expect((await owner.call("HEAD", "/events")).status).to.be.oneOf([404, 405]);
    });

    it("may be open five times for a token and ten times for a user, and is counted until it closes", async () => {
      const tokens = [await madeToken(), await madeToken(), await madeToken()];
      const open = (index: number) => openEvents(server.origin, tokens[index] ?? "");
      const readers: EventReader[] = [];
      for (let n = 0; n < 5; n++) readers.push(await open(0));
      const sixth = await open(0);
      expect([sixth.status, sixth.headers.get("retry-after")]).to.deep.equal([429, "30"]);
      for (let n = 0; n < 5; n++) readers.push(await open(1));
      expect(readers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
      expect((await open(2)).status).to.equal(429);
      readers[0]?.close();
      await until("there is room again", async () => {
        const reader = await open(2);
        readers.push(reader);
        return reader.status === 200;
      });
      for (const { close } of readers) close();
    });

    it("ends when the server stops, in order and without delay", async () => {
      const reader = await openEvents(server.origin, await madeToken());
      await until("the stream has begun", () => reader.lastId() !== "");
      await server.stop();
      await until("it has ended", () => reader.hasEnded());
    });

    it("ends when the token ends", async () => {
      const token = await madeToken(30);
      server.clock.advance(30 * dayMs - 50);
      const reader = await openEvents(server.origin, token);
      await until("the stream has begun", () => reader.lastId() !== "");
      server.clock.advance(50);
      await until("it has ended", () => reader.hasEnded());
    });

    it("prepares nothing for a reader that takes nothing, who gets it later", async () => {
      const userId = await userIdOf(server.database, "owner@home.example");
      const built: unknown[] = [];
      const stream = new EventStream(
        {
          ...server.context,
          isTokenValid: async () => true,
          features: [
            {
              announce: (event) => ({
                resources: ["masks"],
                resourceId: event.resourceId,
                exceptClientId: null,
                build: async () => {
                  built.push(event.resourceId);
                  return dataUpdate(event);
                },
              }),
            },
          ],
        },
        {
          auth: {
            userId,
            clientId: null,
            token: { id: "t", name: "t", scopes: ["masks:read"], domain: null, expiresAt: null },
          },
          lastEventId: null,
          cutOff: () => {},
        },
      );
      const texts = stream.texts();
      for (const part of ["retry:", "id:"]) expect((await texts.next()).value).to.include(part);
      const ids = Array.from({ length: 100 }, (_, n) => `m${n}`);
      for (const resourceId of ids)
        await appendEvent(
          server.database.db,
          { userId, resource: "masks", resourceId, action: "updated" },
          server.clock.now(),
        );
      await server.context.feed.catchUp();
      expect((await texts.next()).value).to.include('"m0"');
      await server.context.feed.catchUp();
      expect(built).to.deep.equal(["m0"]);
      for (const id of ids.slice(1)) expect((await texts.next()).value).to.include(`"${id}"`);
      stream.stop();
    });
  });
});
