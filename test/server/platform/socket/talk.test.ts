import { expect } from "chai";
import { notify, userIdOf } from "../../support/notify.ts";
import { isType, type Message, receivedData, settle } from "../../support/socketClient.ts";
import { useSocketServer } from "../../support/socketServer.ts";

describe("The messages of a page over its socket (RT12)", () => {
  const { server, user, open, follower } = useSocketServer();
  let userId: string;
  beforeEach(async () => {
    userId = await userIdOf(server.database, "owner@example.org");
  });
  const create = async (who = user): Promise<string> =>
    ((await who.call("POST", "/masks", { body: { description: "x" } })).json as { id: string }).id;

  it("bring nothing to a page that has subscribed to nothing, or to nothing any more (RT12)", async () => {
    const [silent, former] = [await open(), await follower(user, { resource: "masks" })];
    former.send("unsubscribe", { resource: "masks" });
    await settle(former);
    const id = await create();
    await user.call("PUT", `/masks/${id}`, { body: { description: "changed" } });
    await notify(server.database, userId, "For those who follow");
    for (const page of [silent, former]) {
      await settle(page);
      expect(page.messages.filter(isType("data_update"))).to.deep.equal([]);
      expect(page.messages.filter(isType("notification"))).to.deep.equal([]);
    }
  });

  it("subscribe to all masks, to one mask, and to none after unsubscribing", async () => {
    const masks = { resource: "masks" };
    const [all, one] = [await follower(user, masks), await follower(user, masks)];
    const [first, second] = [await create(), await create()];
    await settle(one);
    one.send("unsubscribe", { resource: "masks" });
    one.send("subscribe", { resource: "mask", resourceId: second });
    await settle(one);
    const before = receivedData(one, "data_update").length;
    await user.call("PUT", `/masks/${first}`, { body: { description: "changed" } });
    const { json: entity } = await user.call("PUT", `/masks/${second}`, { body: { description: "changed" } });
    for (const page of [all, one]) await settle(page);
    expect(receivedData(one, "data_update").slice(before)).to.deep.equal([
      { resource: "masks", resourceId: second, action: "updated", entity },
    ]);
    expect(receivedData(all, "data_update")).to.have.length(4);
  });

  it("cannot subscribe to what is another user's or does not exist, and get an error", async () => {
    const stranger = await server.signIn("stranger@example.org");
    const foreign = await create(stranger);
    const page = await open();
    const refused = [
      { resource: "mask", resourceId: foreign },
      { resource: "rules", resourceId: "\u0000" },
      { resource: "users" },
      { resource: "account", resourceId: "x" },
      { channel: "everything" },
      {},
    ];
    for (const topic of refused) page.send("subscribe", topic);
    await settle(page);
    expect(receivedData(page, "error")).to.have.length(refused.length);
    await stranger.call("PUT", `/masks/${foreign}`, { body: { description: "secret" } });
    await settle(page);
    expect(receivedData(page, "data_update")).to.deep.equal([]);
  });

  it("get an update on request, with the id of the request; what is not the user's counts as deleted", async () => {
    const [own, foreign] = [await create(), await create(await server.signIn("stranger@example.org"))];
    const page = await open();
    const ask = (resourceId: string) =>
      page.send("request_update", { resource: "mask", resourceId, requestId: resourceId });
    const answer = (id: string) =>
      page.waitFor(({ type, data }) => type === "data_update" && data?.["requestId"] === id);
    for (const id of [own, foreign, "never-was"]) ask(id);
    expect((await answer(own)).data).to.include({ resource: "mask", resourceId: own, action: "updated" });
    expect((await answer(own)).data).to.have.nested.property("entity.id", own);
    for (const id of [foreign, "never-was"])
      expect((await answer(id)).data).to.include({ resourceId: id, action: "deleted" });
  });

  it("get a confirmation once the page is up to date, and a refusal for what is not the user's", async () => {
    const page = await follower();
    const id = await notify(server.database, userId, "Before");
    page.send("sync_request", { resource: "notifications", requestId: "r1" });
    const { data } = await page.waitFor(isType("sync_complete"));
    await page.waitFor(({ data }) => data?.["requestId"] === "r1");
    const order = page.messages.map(({ type, data }) => data?.["requestId"] ?? data?.["id"] ?? type);
    expect(order.indexOf(id)).to.be.lessThan(order.indexOf("r1")).and.be.above(-1);
    expect(data).to.have.property("success", true);
    page.send("sync_request", { resource: "mask", resourceId: "never-was", requestId: "r2" });
    const refused = await page.waitFor(({ data }) => data?.["requestId"] === "r2");
    expect(refused.data).to.deep.equal({ success: false, resource: "mask", requestId: "r2" });
  });

  it("can be batched up to ten in their order, except for authentication", async () => {
    const page = await open();
    const id = await notify(server.database, userId, "One");
    const messages = [
      { type: "subscribe", data: { channel: "notifications" } },
      { type: "get_notifications", id: "a", data: { limit: 50, requestId: "before" } },
      { type: "mark_read", id: "b", data: { notificationId: id } },
      { type: "get_notifications", id: "c", data: { limit: 50, requestId: "after" } },
      { type: "auth", data: { token: "a.b.c" } },
      { type: "batch", data: { messages: [] } },
      { type: "something else" },
      { type: "ping", id: "d" },
    ];
    page.send("batch", { messages });
    await page.waitFor(isType("pong"));
    const pages = receivedData(page, "notifications").map((data) => [data?.["requestId"], data?.["unread"]]);
    expect(pages).to.deep.equal([
      ["before", 1],
      ["after", 0],
    ]);
    expect(receivedData(page, "error")).to.have.length(2);
    page.send("batch", { messages: Array(11).fill({ type: "ping" }) });
    const { data } = await page.waitFor(({ data }) => String(data?.["message"]).includes("batch"));
    expect(data).to.deep.equal({ message: "A batch holds at most 10 messages." });
    expect(receivedData(page, "pong")).to.have.length(1);
  });

  it("are answered in their order", async () => {
    const page = await open();
    const requestIds = Array.from({ length: 30 }, (_, n) => `r${n}`);
    for (const [n, requestId] of requestIds.entries())
      if (n % 3 === 0) page.send("get_notifications", { limit: 50, requestId });
      else if (n % 3 === 1) page.send("sync_request", { resource: "masks", requestId });
      else page.send("request_update", { resource: "masks", requestId });
    await page.waitFor(({ data }) => data?.["requestId"] === "r29");
    const receivedIds = page.messages.map(({ data }) => data?.["requestId"]).filter(Boolean);
    expect(receivedIds).to.deep.equal(requestIds);
  });

  it("are limited to 100 a minute: the next hundred are ignored, and then it is closed with 1008 (RT9)", async () => {
    const page = await open();
    for (let n = 0; n < 10; n++) page.send("batch", { messages: Array(10).fill({ type: "ping" }) });
    page.socket.send(
      JSON.stringify({ type: "get_notifications", id: "late", data: { limit: 1, requestId: "r" } }),
    );
    const { data } = (await page.waitFor(isType("error"))) as Message;
    expect(data?.["message"]).to.equal("Too many messages: 100 a minute are taken, and this one was not.");
    server.clock.advance(60_000);
    page.send("get_notifications", { limit: 1, requestId: "next minute" });
    await page.waitFor(({ data }) => data?.["requestId"] === "next minute");
    expect(receivedData(page, "pong")).to.have.length(100);
    expect(receivedData(page, "notifications")).to.have.length(1);
    for (let n = 0; n < 200; n++) page.send("ping");
    expect((await page.waitFor(isType("connection_error"))).data).to.deep.equal({
      error: "Too many messages",
    });
    expect(await page.closed).to.deep.equal({ code: 1008, reason: "Too many messages" });
  });
});
