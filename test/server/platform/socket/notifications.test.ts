import { expect } from "chai";
import { notify, userIdOf } from "../../support/notify.ts";
import { isType, type Message, receivedData, settle } from "../../support/socketClient.ts";
import { useSocketServer } from "../../support/socketServer.ts";

describe("Notifications over the socket (RT12, NO1)", () => {
  const { server, user, open, follower } = useSocketServer();
  let userId: string;
  beforeEach(async () => {
    userId = await userIdOf(server.database, "owner@example.org");
  });

  it("arrive at every subscribed socket of the user, and at no other", async () => {
    const stranger = await server.signIn("stranger@example.org");
    const [page, deaf, other] = [await follower(), await open(), await follower(stranger)];
    const id = await notify(server.database, userId, "80% of this month's emails are used.", {
      type: "warning",
      priority: "high",
      now: 1_700_000_000_000,
    });
    for (const socket of [page, deaf, other]) await settle(socket);
    expect(receivedData(page, "notification")).to.deep.equal([
      {
        id,
        message: "80% of this month's emails are used.",
        type: "warning",
        priority: "high",
        timestamp: 1_700_000_000_000,
        read: false,
      },
    ]);
    expect(receivedData(deaf, "notification")).to.deep.equal([]);
    expect(receivedData(other, "notification")).to.deep.equal([]);
    page.send("unsubscribe", { channel: "notifications" });
    await settle(page);
    await notify(server.database, userId, "Not heard");
    await settle(page);
    expect(receivedData(page, "notification")).to.have.length(1);
  });

  it("arrive once each, in their order, between any other messages", async () => {
    const page = await follower();
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) {
      ids.push(await notify(server.database, userId, `Message ${n}`));
      if (n % 10 === 0) page.send("get_notifications", { limit: 50, requestId: `r${n}` });
    }
    await settle(page);
    expect(receivedData(page, "notification").map((data) => data?.["id"])).to.deep.equal(ids);
  });

  it("are requested after a gap by the highest id that the client has seen", async () => {
    const page = await open();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await notify(server.database, userId, `Message ${n}`));
    page.socket.send(
      JSON.stringify({
        type: "get_notifications",
        id: "m1",
        data: { limit: 50, requestId: "r1", after: ids[1] },
      }),
    );
    const answer = (await page.waitFor(isType("notifications"))) as Message & { readonly id?: string };
    expect(answer.id).to.equal("m1");
    expect(answer.data).to.include({ requestId: "r1", unread: 5 });
    const listed = answer.data?.["notifications"] as readonly { readonly id: string }[];
    expect(listed.map(({ id }) => id)).to.deep.equal(ids.slice(2).toReversed());
  });

  it("are marked as read on every page of the user, with the number of unread ones", async () => {
    const [phone, desk] = [await follower(), await follower()];
    const [first] = [
      await notify(server.database, userId, "One"),
      await notify(server.database, userId, "Two"),
    ];
    phone.send("mark_read", { notificationId: first });
    for (const page of [phone, desk]) {
      const { data } = await page.waitFor(isType("read_status_updated"));
      expect(data).to.deep.equal({ notificationId: first, read: true, unread: 1 });
    }
    await user.call("PUT", "/notifications/read", { body: { all: true } });
    for (const page of [phone, desk]) {
      const { data } = await page.waitFor(
        ({ type, data }) => type === "read_status_updated" && data?.["all"] === true,
      );
      expect(data).to.deep.equal({ all: true, read: true, unread: 0 });
    }
    phone.send("mark_read", { all: true });
    await settle(phone);
    expect(
      receivedData(phone, "read_status_updated").at(-1),
      "though nothing was left to read",
    ).to.deep.equal({
      all: true,
      read: true,
      unread: 0,
    });
  });

  it("are deleted on every page of the user", async () => {
    const [phone, desk] = [await follower(), await follower()];
    const id = await notify(server.database, userId, "One");
    for (const _ of [1, 2]) phone.send("delete_notification", { notificationId: id });
    for (const page of [phone, desk]) {
      const { data } = await page.waitFor(isType("data_update"));
      expect(data).to.deep.equal({ resource: "notifications", resourceId: id, action: "deleted" });
    }
    expect((await user.call("GET", "/notifications?limit=50")).json).to.have.property("unread", 0);
  });

  it("of another user cannot be changed", async () => {
    const stranger = await follower(await server.signIn("stranger@example.org"));
    const page = await follower();
    const id = await notify(server.database, userId, "Mine");
    stranger.send("mark_read", { notificationId: id });
    stranger.send("delete_notification", { notificationId: id });
    stranger.send("get_notifications", { limit: 50, requestId: "r" });
    const { data } = await stranger.waitFor(isType("notifications"));
    expect(data).to.deep.equal({ requestId: "r", notifications: [], unread: 0 });
    await settle(page);
    expect(receivedData(page, "read_status_updated")).to.deep.equal([]);
    expect((await user.call("GET", "/notifications?limit=50")).json).to.have.property("unread", 1);
  });
});
