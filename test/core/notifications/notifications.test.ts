import { expect } from "chai";
import fc from "fast-check";
import type { Notification } from "../../../core/notifications/notification.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { createNotification } from "../../fakes/productNotifications.ts";
import { createUser } from "../../fakes/productServer.ts";
import { problemFrom } from "../problems.ts";
import { messagesSent } from "../realtime/openSocketClient.ts";

const shown = ({ app }: AppOnFakes): readonly string[] =>
  app.notifications.view$.value.list.map(({ id, read, removed }) =>
    [id, read ? "read" : "new", ...(removed ? ["removed"] : [])].join(" "),
  );
const unread = ({ app }: AppOnFakes): number => app.notifications.view$.value.unread;
const toasts = ({ app }: AppOnFakes): readonly string[] => app.toasts.list$.value.map(({ text }) => text);
const requestLines = ({ server }: AppOnFakes): readonly string[] =>
  server.requestsTo("GET /notifications").map(({ url }) => url.slice(url.indexOf("?")));

/** Starts the app for a user with these notifications, the oldest first, with all initial requests done. */
const visitWith = async (
  notifications: readonly Partial<Notification>[],
  options: AppOnFakesOptions & { readonly isConnected?: boolean } = {},
): Promise<AppOnFakes> => {
  const visit = await startApp({ ...options, isSignedIn: false });
  for (const more of notifications) visit.product.notifications.add(more);
  await visit.app.signIn.requestCode("ada@example.org")();
  await visit.clock.advance(500);
  await visit.app.signIn.verifyCode("123456")();
  await visit.clock.advance(500);
  if (options.isConnected ?? false) await connect(visit);
  await visit.clock.advance(5_000);
  return visit;
};

const connect = async ({ sockets, clock }: AppOnFakes): Promise<void> => {
  sockets.latest().accept();
  await clock.advance(500);
};

const say = async ({ sockets, clock }: AppOnFakes, message: unknown): Promise<void> => {
  sockets.latest().push(message);
  await clock.advance(0);
};

const push = (visit: AppOnFakes, data: Notification): Promise<void> =>
  say(visit, { type: "notification", data });

/** The last message of this type that the client sent over the socket. */
const lastSaid = ({ sockets }: AppOnFakes, type: string): Record<string, unknown> =>
  messagesSent(sockets.latest().sent)
    .filter((message) => message["type"] === type)
    .map(({ data }) => data as Record<string, unknown>)
    .at(-1) ?? {};

describe("A user's notifications", () => {
  it("are requested at the start, 50 of them, without a socket", async () => {
    const visit = await visitWith([{}, { read: true }, {}]);
    expect(requestLines(visit)).to.deep.equal(["?limit=50"]);
    expect(shown(visit)).to.deep.equal(["3 new", "2 read", "1 new"]);
    expect(unread(visit)).to.equal(2);
    expect(visit.app.notifications.view$.value.status).to.equal("ready");
  });

  it("are the newest 50, while the count covers all that are unread", async () => {
    const visit = await visitWith(Array.from({ length: 60 }, () => ({})));
    expect(shown(visit)).to.have.length(50);
    expect(shown(visit)[0]).to.equal("60 new");
    expect(unread(visit)).to.equal(60);
  });

  it('show "Failed to load notifications" when they cannot be loaded, and appear with the connection', async () => {
    const visit = await startApp({
      before: ({ server }) => server.on("GET", "/notifications", { status: 404 }),
    });
    await visit.clock.advance(2_000);
    expect(visit.app.notifications.view$.value).to.include({
      status: "failed",
      message: "Failed to load notifications",
    });
    expect(problemFrom(await visit.app.notifications.refresh()()).message).to.equal(
      "Failed to load notifications",
    );
    visit.server.on("GET", "/notifications", { json: { notifications: [createNotification(1)], unread: 1 } });
    await connect(visit);
    expect(visit.app.notifications.view$.value).to.include({ status: "ready", message: "", unread: 1 });
  });

  it("are not loaded without a signed-in user, and never shown to the next one", async () => {
    const visit = await visitWith([{}, {}]);
    await visit.app.session.logOut()();
    expect([shown(visit), unread(visit)]).to.deep.equal([[], 0]);
    visit.app.notifications.receive(createNotification(9, { priority: "urgent" }));
    expect([shown(visit), toasts(visit).includes("Notification 9")]).to.deep.equal([[], false]);
  });

  it("of a user who has logged out do not appear when they arrive late", async () => {
    const visit = await startApp({
      before: ({ server }) => server.on("GET", "/notifications", { json: {}, afterMs: 1 }),
    });
    visit.server.on("GET", "/notifications", {
      json: { notifications: [createNotification(1)], unread: 1 },
      afterMs: 3_000,
    });
    const late = visit.app.notifications.refresh()();
    await visit.app.session.logOut()();
    await visit.clock.advance(3_000);
    await late;
    expect([shown(visit), unread(visit)]).to.deep.equal([[], 0]);
  });
});

describe("A notification that arrives", () => {
  it("is shown at the top and counts as unread", async () => {
    const visit = await visitWith([{}], { isConnected: true });
    await push(visit, createNotification(2));
    expect(shown(visit)).to.deep.equal(["2 new", "1 new"]);
    expect(unread(visit)).to.equal(2);
  });

  it("counts once however often and over whichever channel it arrives", async () => {
    const visit = await visitWith([], { isConnected: true });
    const one = visit.product.notifications.add({ priority: "high" });
    await push(visit, one);
    await push(visit, one);
    visit.app.notifications.receive(one);
    await say(visit, {
      type: "data_update",
      data: { resource: "notifications", resourceId: "1", action: "created" },
    });
    await visit.clock.advance(1_000);
    expect(shown(visit)).to.deep.equal(["1 new"]);
    expect(unread(visit)).to.equal(1);
    expect(toasts(visit).filter((text) => text === one.message)).to.have.length(1);
  });

  for (const [priority, isToast] of [
    ["urgent", true],
    ["high", true],
    ["normal", false],
    ["low", false],
    [undefined, false],
  ] as const)
    it(`shows ${isToast ? "a" : "no"} toast when its priority is ${priority ?? "missing"}`, async () => {
      const visit = await visitWith([], { isConnected: true });
      const one = createNotification(1, { message: "Look." });
      await push(visit, { ...one, priority: priority as string });
      expect(toasts(visit).includes("Look.")).to.equal(isToast);
    });

  it("has its type in the toast: info by default", async () => {
    const visit = await visitWith([], { isConnected: true });
    const kinds = ["success", "warning", "error", "info", "tomorrow", undefined];
    for (const [at, type] of kinds.entries())
      await push(
        visit,
        createNotification(at + 1, { type: type as string, priority: "high", message: `T${at}` }),
      );
    const shownKinds = visit.app.toasts.list$.value.filter(({ text }) => text.startsWith("T"));
    expect(shownKinds.map(({ kind }) => kind)).to.deep.equal([
      "success",
      "warning",
      "error",
      "info",
      "info",
      "info",
    ]);
  });

  it("is also accepted from a DOM event, and a malformed one is ignored", async () => {
    const visit = await visitWith([]);
    for (const odd of [null, 7, "x", {}, { id: 1 }, { id: "1", message: 7 }])
      visit.app.notifications.receive(odd);
    visit.app.notifications.receive({ id: "7", message: "From the page", timestamp: 1, priority: "high" });
    expect(shown(visit)).to.deep.equal(["7 new"]);
    expect(toasts(visit)).to.include("From the page");
  });

  it("from a DOM event survives a reload of the list, until the server has listed it and lists it no longer", async () => {
    const visit = await visitWith([{}]);
    visit.app.notifications.receive(createNotification(7));
    visit.app.notifications.receive(createNotification(3, { id: "push-3" }));
    await visit.app.notifications.refresh()();
    await visit.app.notifications.refresh()();
    expect(shown(visit)).to.deep.equal(["7 new", "1 new", "push-3 new"]);
    expect(unread(visit)).to.equal(3);
    visit.product.notifications.set([createNotification(7)]);
    await visit.app.notifications.refresh()();
    visit.product.notifications.set([]);
    await visit.app.notifications.refresh()();
    expect(shown(visit)).to.deep.equal(["push-3 new"]);
    expect(unread(visit)).to.equal(1);
  });

  it("from the socket survives a reload of the list, and after a reconnect the server's list decides", async () => {
    const visit = await visitWith([{}], { isConnected: true });
    await push(visit, createNotification(8));
    const refetch = async (): Promise<void> => {
      const refreshed = visit.app.notifications.refresh()();
      await visit.clock.advance(10_000);
      await refreshed;
    };
    await refetch();
    expect([shown(visit), unread(visit)]).to.deep.equal([["8 new", "1 new"], 2]);
    visit.sockets.latest().drop(1012);
    await visit.app.notifications.refresh()();
    expect([shown(visit), unread(visit)]).to.deep.equal([["1 new"], 1]);
  });

  it("is added to a count that the server sent before it was created", async () => {
    const visit = await visitWith([{}], { isConnected: true });
    visit.server.on("GET", "/notifications", { json: visit.product.notifications.page(50), afterMs: 1_000 });
    const refreshed = visit.app.notifications.refresh()();
    visit.sockets.latest().drop(1012);
    visit.app.notifications.receive(createNotification(2));
    await visit.clock.advance(1_000);
    await refreshed;
    expect([shown(visit), unread(visit)]).to.deep.equal([["2 new", "1 new"], 2]);
  });

  it("is one of the newest 50", async () => {
    const visit = await visitWith(
      Array.from({ length: 50 }, () => ({})),
      { isConnected: true },
    );
    await push(visit, createNotification(51));
    expect(shown(visit)).to.have.length(50);
    expect(shown(visit).at(-1)).to.equal("2 new");
  });
});

describe("Missed notifications", () => {
  it("are not requested at the start when the socket connects within 2 s: one request loads the list", async () => {
    const early = await visitWith([{}, {}], { isConnected: true });
    expect(requestLines(early)).to.deep.equal(["?limit=50"]);
    await early.clock.advance(10_000);
    expect(requestLines(early)).to.deep.equal(["?limit=50"]);

    const late = await visitWith([{}, {}]);
    await late.clock.advance(2_000);
    expect(requestLines(late)).to.deep.equal(["?limit=50"]);
    await connect(late);
    expect(requestLines(late)).to.deep.equal(["?limit=50", "?limit=50&after=2"]);
  });

  it("are requested 500 ms after each later opening, after the highest id seen: none is missed, none appears twice", async () => {
    const visit = await visitWith([{}, {}], { isConnected: true });
    visit.sockets.latest().drop(1012);
    visit.product.notifications.add({ priority: "urgent", message: "While you were away." });
    visit.product.notifications.add();
    await visit.clock.advance(2_400);
    visit.sockets.latest().accept();
    await push(visit, visit.product.notifications.all()[3] as Notification);
    await visit.clock.advance(500);
    expect(requestLines(visit).at(-1), "the push that came first leaves no gap").to.equal(
      "?limit=50&after=2",
    );
    expect(shown(visit)).to.deep.equal(["4 new", "3 new", "2 new", "1 new"]);
    expect(unread(visit)).to.equal(4);
  });

  it("with high or urgent priority are shown as toasts, the older first, and only once", async () => {
    const visit = await visitWith([{ priority: "urgent", message: "Old." }], { isConnected: true });
    expect(toasts(visit)).not.to.include("Old.");
    visit.sockets.latest().drop(1012);
    visit.product.notifications.add({ priority: "urgent", message: "First." });
    visit.product.notifications.add({ priority: "urgent", message: "Read elsewhere.", read: true });
    visit.product.notifications.add({ priority: "high", message: "Second." });
    await visit.clock.advance(2_400);
    await connect(visit);
    expect(toasts(visit).filter((text) => /\.$/.test(text))).to.deep.equal(["First.", "Second."]);
    visit.sockets.latest().drop(1012);
    await visit.clock.advance(10_000);
    await connect(visit);
    expect(toasts(visit)).to.deep.equal([]);
  });

  it("are toasts of their type; a type that is not known is news", async () => {
    const visit = await visitWith([{}], { isConnected: true });
    for (const [n, type] of ["security", "warning", "tidings"].entries())
      await push(visit, createNotification(n + 2, { type, priority: "high", message: `${type}.` }));
    const kinds = visit.app.toasts.list$.value.map(({ kind, text }) => [text, kind]);
    expect(kinds.slice(-3)).to.deep.equal([
      ["security.", "security"],
      ["warning.", "warning"],
      ["tidings.", "info"],
    ]);
  });

  it("are found by a wrong count where a push before a disconnect had a higher id", async () => {
    const visit = await visitWith([{}], { isConnected: true });
    visit.product.notifications.set([1, 2, 3].map((id) => createNotification(id)));
    await push(visit, createNotification(3));
    visit.sockets.latest().drop(1012);
    await visit.clock.advance(2_400);
    await connect(visit);
    expect(shown(visit)).to.deep.equal(["3 new", "2 new", "1 new"]);
  });

  it("include what was read and deleted elsewhere", async () => {
    const visit = await visitWith([{}, {}, {}], { isConnected: true });
    visit.sockets.latest().drop(1012);
    visit.product.notifications.markRead({ notificationId: "1" });
    visit.product.notifications.remove("2");
    await visit.clock.advance(2_400);
    await connect(visit);
    expect(shown(visit)).to.deep.equal(["3 new", "1 read"]);
    expect(unread(visit)).to.equal(1);
  });

  it("are requested over the socket when HTTP does not answer", async () => {
    const visit = await visitWith([{}], { isConnected: true });
    visit.server.on("GET", "/notifications", { status: 404 });
    visit.sockets.latest().drop(1012);
    const missed = visit.product.notifications.add();
    await visit.clock.advance(2_400);
    await connect(visit);
    const { requestId, ...rest } = lastSaid(visit, "get_notifications");
    expect(rest).to.deep.equal({ limit: 50, after: "1" });
    await say(visit, { type: "notifications", data: { requestId, notifications: [missed], unread: 2 } });
    expect(shown(visit)).to.deep.equal(["2 new", "1 new"]);
  });

  it("are requested together when the server only reports that something has changed", async () => {
    const visit = await visitWith([{}], { isConnected: true });
    const before = requestLines(visit).length;
    for (let times = 0; times < 5; times += 1) {
      visit.product.notifications.add();
      await say(visit, { type: "data_update", data: { resource: "notifications", action: "created" } });
    }
    await visit.clock.advance(250);
    expect(requestLines(visit).length).to.equal(before + 1);
    expect(shown(visit)).to.have.length(6);
  });
});

describe("Marking as read", () => {
  const withThree = (isConnected = false): Promise<AppOnFakes> => visitWith([{}, {}, {}], { isConnected });

  it("one notification shows at once, and is sent over HTTP while there is no connection", async () => {
    const visit = await withThree();
    const read = visit.app.notifications.markRead("2")();
    expect(shown(visit)).to.deep.equal(["3 new", "2 read", "1 new"]);
    expect(unread(visit)).to.equal(2);
    await read;
    expect(visit.server.requestsTo("PUT /notifications/read").map(({ body }) => body)).to.deep.equal([
      { notificationId: "2" },
    ]);
    expect(unread(visit)).to.equal(2);
  });

  it("all notifications shows at once, including those not in the list", async () => {
    const visit = await visitWith(Array.from({ length: 60 }, () => ({})));
    const read = visit.app.notifications.markAllRead()();
    expect(unread(visit)).to.equal(0);
    await read;
    expect(visit.server.requestsTo("PUT /notifications/read").map(({ body }) => body)).to.deep.equal([
      { all: true },
    ]);
    expect([unread(visit), shown(visit)[0]]).to.deep.equal([0, "60 read"]);
  });

  it("is sent over the socket while there is one, and confirmed by it", async () => {
    const visit = await withThree(true);
    const read = visit.app.notifications.markRead("3")();
    await visit.clock.advance(0);
    expect(lastSaid(visit, "mark_read")).to.deep.equal({ notificationId: "3" });
    await say(visit, { type: "read_status_updated", data: { notificationId: "3", read: true, unread: 2 } });
    expect((await read)._tag).to.equal("Right");
    expect(unread(visit)).to.equal(2);
    expect(visit.server.requestsTo("PUT /notifications/read")).to.have.length(0);
  });

  it("is sent over HTTP when the socket does not confirm it within 10 s, or closes", async () => {
    const visit = await withThree(true);
    const read = visit.app.notifications.markRead("3")();
    await visit.clock.advance(10_000);
    await read;
    expect(visit.server.requestsTo("PUT /notifications/read")).to.have.length(1);
    const another = visit.app.notifications.markRead("2")();
    visit.sockets.latest().drop(1012);
    await another;
    expect(visit.server.requestsTo("PUT /notifications/read")).to.have.length(2);
    expect(visit.product.notifications.unread()).to.equal(1);
  });

  it('is undone when the server cannot be reached, with "Failed to mark as read"', async () => {
    const visit = await withThree();
    visit.server.on("PUT", "/notifications/read", { status: 400, afterMs: 100 });
    const both = [visit.app.notifications.markRead("2")(), visit.app.notifications.markAllRead()()];
    expect(unread(visit)).to.equal(0);
    await visit.clock.advance(100);
    expect((await Promise.all(both)).map(({ _tag }) => _tag)).to.deep.equal(["Left", "Left"]);
    expect(shown(visit)).to.deep.equal(["3 new", "2 new", "1 new"]);
    expect(unread(visit)).to.equal(3);
    expect(toasts(visit)).to.include("Failed to mark as read");
  });

  it("on another page is shown on this one, and the count never falls below 0", async () => {
    const visit = await withThree(true);
    await say(visit, { type: "read_status_updated", data: { notificationId: "1", read: true, unread: 2 } });
    expect([shown(visit), unread(visit)]).to.deep.equal([["3 new", "2 new", "1 read"], 2]);
    await say(visit, { type: "read_status_updated", data: { all: true, read: true, unread: 0 } });
    await say(visit, { type: "read_status_updated", data: { notificationId: "77", read: true } });
    await say(visit, { type: "read_status_updated", data: { notificationId: "3", read: true, unread: -4 } });
    expect([shown(visit), unread(visit)]).to.deep.equal([["3 read", "2 read", "1 read"], 0]);
  });

  it("is not undone by a list that was requested before", async () => {
    const visit = await withThree();
    const page = visit.product.notifications.page(50);
    visit.server.on("GET", "/notifications", { json: page, afterMs: 1_000 });
    const refreshed = visit.app.notifications.refresh()();
    await visit.app.notifications.markRead("2")();
    await visit.clock.advance(1_000);
    await refreshed;
    expect([shown(visit), unread(visit)]).to.deep.equal([["3 new", "2 read", "1 new"], 2]);
  });
});

describe("Deleting", () => {
  it("hides a notification at once, allows undo for 5 s, and is sent to the server then", async () => {
    const visit = await visitWith([{}, {}, {}]);
    visit.app.notifications.remove("2");
    expect([shown(visit), unread(visit)]).to.deep.equal([["3 new", "2 new removed", "1 new"], 2]);
    await visit.clock.advance(4_999);
    expect(visit.server.requestsTo("DELETE /notifications/2")).to.have.length(0);
    await visit.clock.advance(1);
    expect([shown(visit), unread(visit)]).to.deep.equal([["3 new", "1 new"], 2]);
    expect(visit.server.requestsTo("DELETE /notifications/2")).to.have.length(1);
    visit.app.notifications.restore("2");
    expect(shown(visit), "too late").to.have.length(2);
  });

  it("has no effect when it is undone", async () => {
    const visit = await visitWith([{}, {}]);
    visit.app.notifications.remove("1");
    visit.app.notifications.restore("1");
    await visit.clock.advance(60_000);
    expect([shown(visit), unread(visit)]).to.deep.equal([["2 new", "1 new"], 2]);
    expect(visit.server.requests.filter(({ method }) => method === "DELETE")).to.have.length(0);
  });

  it("is sent over the socket while there is one, and over HTTP when that does not confirm it", async () => {
    const visit = await visitWith([{}, {}], { isConnected: true });
    visit.app.notifications.remove("1");
    await visit.clock.advance(5_000);
    expect(lastSaid(visit, "delete_notification")).to.deep.equal({ notificationId: "1" });
    await say(visit, {
      type: "data_update",
      data: { resource: "notifications", resourceId: "1", action: "deleted" },
    });
    expect([shown(visit), unread(visit)]).to.deep.equal([["2 new"], 1]);
    visit.app.notifications.remove("2");
    await visit.clock.advance(15_000);
    expect(visit.server.requestsTo("DELETE /notifications/2")).to.have.length(1);
    expect([shown(visit), unread(visit)]).to.deep.equal([[], 0]);
  });

  it("a notification that does not exist anymore is no error", async () => {
    const visit = await visitWith([{}]);
    visit.product.notifications.remove("1");
    visit.app.notifications.remove("1");
    await visit.clock.advance(5_000);
    expect([shown(visit), unread(visit), toasts(visit)]).to.deep.equal([[], 0, []]);
  });

  it('is undone when the server cannot be reached, with "Failed to delete notification"', async () => {
    const visit = await visitWith([{}]);
    visit.server.on("DELETE", "/notifications/:id", { status: 400 });
    visit.app.notifications.remove("1");
    await visit.clock.advance(5_000);
    expect([shown(visit), unread(visit)]).to.deep.equal([["1 new"], 1]);
    expect(toasts(visit)).to.deep.equal(["Failed to delete notification"]);
  });

  it("is not undone by a list that was requested before, nor by a repeated push", async () => {
    const visit = await visitWith([{}, {}], { isConnected: true });
    const page = visit.product.notifications.page(50);
    visit.sockets.latest().drop(1006);
    visit.app.notifications.remove("1");
    await visit.clock.advance(4_999);
    visit.server.on("GET", "/notifications", { json: page, afterMs: 1_000 });
    const refreshed = visit.app.notifications.refresh()();
    await visit.clock.advance(1_000);
    await refreshed;
    visit.app.notifications.receive(createNotification(1, { priority: "high" }));
    expect([shown(visit), unread(visit)]).to.deep.equal([["2 new"], 1]);
  });

  it("is not sent in another user's session", async () => {
    const visit = await visitWith([{}]);
    visit.app.notifications.remove("1");
    await visit.app.session.logOut()();
    await visit.clock.advance(60_000);
    expect(visit.server.requests.filter(({ method }) => method === "DELETE")).to.have.length(0);
  });

  it("that fails after its user has logged out shows nothing to the next", async () => {
    const visit = await visitWith([{}]);
    visit.server.on("DELETE", "/notifications/:id", { status: 400, afterMs: 1_000 });
    visit.app.notifications.remove("1");
    await visit.clock.advance(5_000);
    await visit.app.session.logOut()();
    await visit.clock.advance(1_000);
    expect(toasts(visit)).not.to.include("Failed to delete notification");
  });

  it("on another page is not undone by a list that was requested before", async () => {
    const visit = await visitWith([{}, {}], { isConnected: true });
    visit.server.on("GET", "/notifications", { json: visit.product.notifications.page(50), afterMs: 1_000 });
    visit.sockets.latest().drop(1012);
    await visit.clock.advance(2_400);
    await connect(visit);
    await say(visit, {
      type: "data_update",
      data: { resource: "notifications", resourceId: "2", action: "deleted" },
    });
    await visit.clock.advance(2_000);
    expect([shown(visit), unread(visit)]).to.deep.equal([["1 new"], 1]);
  });

  it("on another page is shown on this one", async () => {
    const visit = await visitWith([{}, {}], { isConnected: true });
    await say(visit, {
      type: "data_update",
      data: { resource: "notifications", resourceId: "2", action: "deleted" },
    });
    expect([shown(visit), unread(visit)]).to.deep.equal([["1 new"], 1]);
  });
});

describe("The notifications, under random events", () => {
  type Act =
    | { readonly kind: "add" | "elsewhere" | "refresh" | "reconnect" | "all" | "push" }
    | {
        readonly kind: "read" | "remove" | "restore" | "readElsewhere" | "removeElsewhere";
        readonly nth: number;
      }
    | { readonly kind: "pass"; readonly ms: number };

  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({
      kind: fc.constantFrom(
        "add" as const,
        "push" as const,
        "refresh" as const,
        "reconnect" as const,
        "all" as const,
      ),
    }),
    fc.record({
      kind: fc.constantFrom(
        "read" as const,
        "remove" as const,
        "restore" as const,
        "readElsewhere" as const,
        "removeElsewhere" as const,
      ),
      nth: fc.nat(8),
    }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(8_000) }),
  );

  interface SocketData {
    readonly requestId: string;
    readonly notificationId: string;
    readonly all: true;
    readonly limit: number;
    readonly after: string;
  }

  /** Answers over the socket the messages that were sent since the last call. */
  const answer = ({ product, sockets }: AppOnFakes, answered: Set<unknown>): void => {
    const server = product.notifications;
    for (const { type, id, data } of messagesSent(sockets.latest().sent)) {
      if (answered.has(id)) continue;
      answered.add(id);
      const { requestId, notificationId, all, limit, after } = (data ?? {}) as SocketData;
      if (type === "get_notifications")
        sockets.latest().push({ type: "notifications", data: { requestId, ...server.page(limit, after) } });
      if (type === "mark_read") {
        server.markRead({ notificationId, all });
        const what = { notificationId, all, read: true, unread: server.unread() };
        sockets.latest().push({ type: "read_status_updated", data: what });
      }
      if (type === "delete_notification") {
        server.remove(notificationId);
        const what = { resource: "notifications", resourceId: notificationId, action: "deleted" };
        sockets.latest().push({ type: "data_update", data: what });
      }
    }
  };

  /** Performs one step in the app or on the server, and pushes what a server would push. */
  const perform = async (visit: AppOnFakes, done: Act): Promise<void> => {
    const { app, product, sockets, clock } = visit;
    const server = product.notifications;
    const idAt = (nth: number): string => server.all().at(-1 - nth)?.id ?? "0";
    if (done.kind === "add") server.add();
    if (done.kind === "push") sockets.latest().push({ type: "notification", data: server.add() });
    if (done.kind === "refresh") void app.notifications.refresh()();
    if (done.kind === "all") void app.notifications.markAllRead()();
    if (done.kind === "read") void app.notifications.markRead(idAt(done.nth))();
    if (done.kind === "remove") app.notifications.remove(idAt(done.nth));
    if (done.kind === "restore") app.notifications.restore(idAt(done.nth));
    if (done.kind === "readElsewhere") {
      const notificationId = idAt(done.nth);
      server.markRead({ notificationId });
      const data = { notificationId, read: true, unread: server.unread() };
      sockets.latest().push({ type: "read_status_updated", data });
    }
    if (done.kind === "removeElsewhere") {
      const resourceId = idAt(done.nth);
      server.remove(resourceId);
      sockets
        .latest()
        .push({ type: "data_update", data: { resource: "notifications", resourceId, action: "deleted" } });
    }
    if (done.kind === "reconnect") {
      sockets.latest().drop(1012);
      app.realtime.reconnect();
      sockets.latest().accept();
    }
    await clock.advance(done.kind === "pass" ? done.ms : 0);
  };

  it("never appear twice, never count below 0, and finally equal what the server has", () =>
    fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
        const visit = await visitWith([{}, {}, {}], { isConnected: true });
        const answered = new Set<unknown>();
        for (const done of acts) {
          await perform(visit, done);
          if (done.kind !== "push") answer(visit, answered);
          const ids = visit.app.notifications.view$.value.list.map(({ id }) => id);
          expect(new Set(ids).size).to.equal(ids.length);
          expect(unread(visit)).to.be.at.least(0);
        }
        await visit.clock.advance(20_000);
        await perform(visit, { kind: "reconnect" });
        await visit.clock.advance(1_000);
        expect(unread(visit), "after a reconnection").to.equal(visit.product.notifications.unread());
        void visit.app.notifications.refresh()();
        await visit.clock.advance(11_000);
        const storedPage = visit.product.notifications.page(50);
        expect(shown(visit)).to.deep.equal(
          storedPage.notifications.map(({ id, read }) => `${id} ${read ? "read" : "new"}`),
        );
        expect(unread(visit)).to.equal(storedPage.unread);
        visit.stop();
      }),
      { numRuns: 150 },
    ));
});

describe("Two users of one browser", () => {
  it("never see each other's notifications", async () => {
    const visit = await visitWith([{}, {}]);
    await visit.app.session.logOut()();
    const other = await startApp({
      storage: visit.storage,
      user: createUser("bob@example.org"),
      before: ({ server }) => server.on("GET", "/notifications", "silent"),
    });
    expect([shown(other), unread(other)]).to.deep.equal([[], 0]);
  });
});
