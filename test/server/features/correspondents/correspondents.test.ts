import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import type { Correspondent } from "../../../../core/correspondents/correspondentEndpoints.ts";
import { ReverseAddresses } from "../../../../server/features/correspondents/reverseAddresses.ts";
import { EventFeed } from "../../../../server/platform/store/eventFeed.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { startListener } from "../../support/listener.ts";
import { readQueue } from "../../support/queue.ts";
import { newSecrets } from "../../support/serverContext.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const secrets = newSecrets();

describe("The correspondents of a mask", () => {
  let server: TestServer;
  let owner: Client;
  let maskId: string;
  let maskEmail: string;
  beforeEach(async () => {
    server = await startServer({ secrets });
    owner = await server.signIn("owner@home.example");
    const mask = await owner.call("POST", "/masks", {
      body: { description: "Shop", forwardTo: "owner@home.example" },
    });
    ({ id: maskId, maskEmail } = mask.json as { id: string; maskEmail: string });
  });
  afterEach(() => server.stop());

  const path = (): string => `/masks/${maskId}/correspondents`;
  const write = (address: string, client = owner) => client.call("POST", path(), { body: { address } });
  const list = async (): Promise<readonly Correspondent[]> =>
    ((await owner.call("GET", path())).json as { correspondents: readonly Correspondent[] }).correspondents;

  it("get a reverse address for a first mail, the same one each time", async () => {
    const first = await write("Bob@shop.example");
    expect(first.status).to.equal(201);
    const { reverseAddress, lastReceived, lastSent } = first.json as Correspondent;
    expect(reverseAddress).to.match(/^re-[a-z2-7]{32}@masks\.test$/);
    expect([lastReceived, lastSent]).to.deep.equal([null, null]);
    expect((await write("bob@shop.example")).json).to.have.property("reverseAddress", reverseAddress);
    expect(await list()).to.have.length(1);
  });

  it("are listed with their last mails, the latest first", async () => {
    const clock = server.clock;
    const reverseAddresses = new ReverseAddresses({
      secrets,
      random: cryptoRandom,
      clock,
      database: server.database,
    });
    const { db } = server.database;
    const { id: userId } = await db
      .selectFrom("users")
      .where("id", "!=", bystander.id)
      .select("id")
      .executeTakeFirstOrThrow();
    const mask = { userId, maskId };
    const prepare = (name: string, address: string) => reverseAddresses.prepare(mask, [{ name, address }]);
    await reverseAddresses.record(db, await prepare("Carol", "carol@shop.example"));
    clock.advance(86_400_000);
    await reverseAddresses.record(db, await prepare("", "dave@shop.example"));
    clock.advance(86_400_000);
    await reverseAddresses.recordReply(db, await prepare("Carol", "carol@shop.example"));
    await owner.refresh();
    const [carol, dave] = await list();
    expect(carol).to.include({ name: "Carol", address: "carol@shop.example" });

    expect(dave).to.include({ address: "dave@shop.example", lastSent: null });
  });

  it("are not those behind a link such as Unsubscribe, until the owner has written to them", async () => {
    const { database, clock } = server;
    const { db } = database;
    const reverseAddresses = new ReverseAddresses({ secrets, random: cryptoRandom, clock, database });
    const { id: userId } = await db
      .selectFrom("users")
      .where("id", "!=", bystander.id)
      .select("id")
      .executeTakeFirstOrThrow();
    const named = async (role: "link" | "named", name: string) => {
      const address = `${name}@lists.example`;
      const prepared = await reverseAddresses.prepare({ userId, maskId }, [{ name: "", address, role }]);
      await reverseAddresses.record(db, prepared);
      return prepared;
    };
    const addresses = async () => (await list()).map(({ address }) => address.split("@")[0]);
    for (const name of ["leave", "post"]) await named("link", name);
    expect(await addresses()).to.deep.equal([]);
    await named("named", "post");
    await reverseAddresses.recordReply(db, await named("link", "leave"));
    expect(await addresses()).to.have.members(["leave", "post"]);
  });

  it("are forgotten on request, and get another address with their next mail", async () => {
    const feed = new EventFeed(server.database, server.clock);
    const stopFeed = feed.start();
    const relay = await startListener(server.database, undefined, {
      maskDomain: named("masks.test"),
      secrets,
      feed,
    });
    const send = async (): Promise<string> => {
      await relay.clock.advance(1);
      const mail = "From: Bob <bob@shop.example>\r\nSubject: x\r\n\r\nHello\r\n";
      expect(await (await relay.connect()).mail("bob@shop.example", [maskEmail], mail)).to.match(/^250/);
      const queued = (await readQueue(server.database.db)).filter(({ mask_id }) => mask_id === maskId);
      return /re-[a-z2-7]{32}/.exec(queued.at(-1)?.content.toString() ?? "")?.[0] ?? "";
    };
    const before = await send();
    const [bob] = await list();
    expect(bob?.reverseAddress).to.equal(`${before}@masks.test`);
    expect((await owner.call("DELETE", `${path()}/${bob?.id}`)).status).to.equal(200);
    expect(await list()).to.deep.equal([]);
    expect((await owner.call("DELETE", `${path()}/${bob?.id}`)).status).to.equal(404);
    await feed.catchUp();
    expect(await send()).not.to.equal(before);
    expect(await list()).to.have.length(1);
    await relay.close();
    stopFeed();
  });

  it("are blocked on request, and then refused at this mask until they are unblocked", async () => {
    const relay = await startListener(server.database, undefined, {
      maskDomain: named("masks.test"),
      secrets,
    });
    const send = async (): Promise<string> => {
      const mail = "From: Bob <bob@shop.example>\r\nSubject: x\r\n\r\nHello\r\n";
      return (await relay.connect()).mail("bob@shop.example", [maskEmail], mail);
    };
    expect(await send()).to.match(/^250/);
    const [bob] = await list();
    expect(bob?.blocked).to.equal(false);
    const setBlocked = (blocked: boolean, client = owner) =>
      client.call("PUT", `${path()}/${bob?.id}`, { body: { blocked } });
    expect((await setBlocked(true)).json).to.deep.equal({ ...bob, blocked: true });
    expect(await send()).to.match(/^550 5\.7\.1 /);
    expect((await list()).map(({ blocked }) => blocked)).to.deep.equal([true]);
    const stranger = await server.signIn("stranger@elsewhere.example");
    expect((await setBlocked(false, stranger)).status).to.equal(404);
    expect((await setBlocked(false)).json).to.have.property("blocked", false);
    expect((await setBlocked(false)).status).to.equal(200);
    expect(await send()).to.match(/^250/);
    await relay.close();
  });

  it("belong to the owner of the mask alone", async () => {
    const added = (await write("bob@shop.example")).json as Correspondent;
    const stranger = await server.signIn("stranger@elsewhere.example");
    expect((await stranger.call("GET", path())).status).to.equal(404);
    expect((await write("bob@shop.example", stranger)).status).to.equal(404);
    expect((await stranger.call("DELETE", `${path()}/${added.id}`)).status).to.equal(404);
    expect(await list()).to.have.length(1);
  });

  it("are mail addresses of somebody else", async () => {
    const { reverseAddress } = (await write("bob@shop.example")).json as Correspondent;
    for (const address of ["", "bob", maskEmail, reverseAddress]) {
      const { status, json } = await write(address);
      expect([status, (json as { errors: { field: string }[] }).errors[0]?.field], address).to.deep.equal([
        400,
        "address",
      ]);
    }
  });
});
