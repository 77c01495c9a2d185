import { expect } from "chai";
import fc from "fast-check";
import { reconnectDelay } from "../../../core/realtime/connectionTiming.ts";
import { createDiagnose } from "../../../core/realtime/diagnosis.ts";
import { socketAddress } from "../../../core/realtime/socketClient.ts";
import { type AppOnFakes, startApp, type TestApp } from "../../fakes/appOnFakes.ts";
import { createUser, tokenOf } from "../../fakes/productServer.ts";
import { startsAt } from "../../fakes/virtualClock.ts";

const lost = "Connection to server lost. Please refresh the page to reconnect.";

describe("The address of the socket", () => {
  it("is /ws with token, time, client and session", () => {
    expect(socketAddress("", "a.b.c", 1_700_000_000_000, "00ff")).to.equal(
      "/ws?token=a.b.c&t=1700000000000&client=web&sessionId=00ff",
    );
    expect(socketAddress("https://api.example.org/", "a.b.c", 0, "00")).to.match(
      /^wss:\/\/api\.example\.org\/ws\?/,
    );
    expect(socketAddress("http://localhost:3000", "a.b.c", 0, "00")).to.match(/^ws:\/\/localhost:3000\/ws\?/);
  });

  it("is undefined for a token without three dot-separated parts", () => {
    for (const other of ["", "abc", "a.b", "a.b.c.d", "a..c", ".b.c", "a.b."])
      expect(socketAddress("", other, 0, "00"), other).to.equal(null);
  });
});

describe("The delay before reconnecting", () => {
  it("is 2 s × 1.5^n, at most 30 s", () => {
    const middle = [0, 1, 2, 3, 4, 20].map((attempt) => reconnectDelay(attempt, 0.5));
    expect(middle).to.deep.equal([2_000, 3_000, 4_500, 6_750, 10_125, 30_000]);
  });

  it("varies by 20 % at random, never over 30 s", () => {
    expect(reconnectDelay(0, 0)).to.equal(1_600);
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, fraction) => {
          const exact = Math.min(2_000 * 1.5 ** attempt, Number.MAX_SAFE_INTEGER);
          const delay = reconnectDelay(attempt, fraction);
          expect(delay).to.be.at.most(30_000);
          expect(delay).to.be.at.least(Math.min(30_000, Math.floor(exact * 0.8)));
          expect(delay).to.be.at.most(Math.ceil(exact * 1.2));
        },
      ),
    );
  });
});

/** Lets every connection attempt fail until none is left. */
const exhaust = async ({ app, sockets, clock }: AppOnFakes): Promise<void> => {
  for (let tries = 0; app.realtime.state$.value !== "max-retries"; tries += 1) {
    expect(tries).to.be.below(10);
    sockets.latest().drop(1006);
    await clock.advance(13_000);
  }
};

const signs = ({ state$, isOffline$, needsHelp$ }: TestApp["realtime"]) => [
  state$.value,
  isOffline$.value ? "offline" : "not offline",
  needsHelp$.value ? "help" : "no help",
];

describe("The app's socket connection", () => {
  it("opens when a user is signed in", async () => {
    const { app, sockets } = await startApp();
    expect(app.realtime.state$.value).to.equal("connecting");
    sockets.latest().accept();
    expect(app.realtime.state$.value).to.equal("connected");
    expect(sockets.latest().address).to.include(`token=${encodeURIComponent(tokenOf("ada@example.org"))}&`);
    expect(
      sockets
        .latest()
        .sent.slice(1)
        .map(({ data }) => data),
    ).to.deep.equal([
      { channel: "notifications" },
      { resource: "masks" },
      { resource: "account" },
      { resource: "held" },
    ]);
  });

  it("does not open without a signed-in user, nor where sockets are off", async () => {
    const flags = { websockets: false };
    const off = await startApp({
      settings: { configuration: { brand: "B", maskDomain: "m.example", flags } },
    });
    const signedOut = await startApp({ isSignedIn: false });
    expect([off.sockets.connections.length, signedOut.sockets.connections.length]).to.deep.equal([0, 0]);
    expect(signs(off.app.realtime)).to.deep.equal(["idle", "not offline", "no help"]);
  });

  it("leaves unsent rules alone while nobody is signed in (RT14)", async () => {
    const record = { rules: [], base: { etag: null, rules: [] }, timestamp: 0, attempts: 1 };
    const masks = { m1: { ...record, lastAttempt: null, lastError: null } };
    const { server, sockets, clock, storage } = await startApp({
      isSignedIn: false,
      before: (fakes) =>
        fakes.storage.local.write("pendingRulesSync", JSON.stringify({ owner: "ada@example.org", masks })),
    });
    await clock.advance(600_000);
    expect(server.requestsTo("PUT /masks/m1")).to.deep.equal([]);
    expect(sockets.connections).to.have.length(0);
    expect(storage.local.read("pendingRulesSync")).not.to.equal(null);
  });

  it("does not open with a malformed token", async () => {
    const user = createUser("ada@example.org");
    const { app, sockets } = await startApp({
      isSignedIn: false,
      user,
      before: ({ storage, server }) => {
        server.on("GET", "/account", { status: 503 });
        server.on("GET", "/masks", { json: { masks: [] } });
        server.on("GET", "/auth/validate-token", { json: {} });
        storage.local.write("userEmail", user.email);
        storage.local.write("userData", JSON.stringify(user));
        storage.local.write("authToken", "opaque");
      },
    });
    expect(sockets.connections).to.have.length(0);
    expect(app.realtime.state$.value).to.equal("disconnected");
  });

  it("closes with the session", async () => {
    const { app, sockets, clock } = await startApp();
    sockets.latest().accept();
    sockets.latest().drop(1006);
    await app.session.logOut()();
    await clock.advance(600_000);
    expect(sockets.connections).to.have.length(1);
    expect(signs(app.realtime)).to.deep.equal(["idle", "not offline", "no help"]);
  });

  it("offers help after 3 s offline, through all attempts, until it is connected again", async () => {
    const { app, sockets, clock } = await startApp();
    sockets.latest().accept();
    sockets.latest().drop(1012);
    expect(signs(app.realtime)).to.deep.equal(["disconnected", "offline", "no help"]);
    await clock.advance(2_999);
    expect(app.realtime.needsHelp$.value).to.equal(false);
    await clock.advance(1);
    expect(signs(app.realtime)).to.deep.equal(["connecting", "offline", "help"]);
    sockets.latest().drop(1006);
    expect(signs(app.realtime)).to.deep.equal(["disconnected", "offline", "help"]);
    app.realtime.reconnect();
    expect(signs(app.realtime)).to.deep.equal(["connecting", "offline", "help"]);
    sockets.latest().accept();
    expect(signs(app.realtime)).to.deep.equal(["connected", "not offline", "no help"]);
    sockets.latest().drop(1012);
    await clock.advance(2_999);
    expect(app.realtime.needsHelp$.value).to.equal(false);
  });

  it("does not count as offline while it opens for the first time", async () => {
    const { app, clock } = await startApp();
    await clock.advance(10_000);
    expect(signs(app.realtime)).to.deep.equal(["connecting", "not offline", "no help"]);
    await clock.advance(5_000);
    expect(signs(app.realtime)).to.deep.equal(["disconnected", "offline", "no help"]);
  });

  it(`shows "${lost}" after the last attempt, and removes it when it is connected`, async () => {
    const visit = await startApp();
    const { app, sockets, clock } = visit;
    await exhaust(visit);
    expect(app.banner.message$.value).to.equal(lost);
    const tries = sockets.connections.length;
    await clock.advance(3_600_000);
    expect(sockets.connections).to.have.length(tries);
    app.realtime.reconnect();
    sockets.latest().accept();
    expect(app.banner.message$.value).to.equal(null);
  });

  it("does not remove another message from the banner", async () => {
    const visit = await startApp();
    await exhaust(visit);
    visit.app.banner.show("Something else.");
    visit.app.realtime.reconnect();
    visit.sockets.latest().accept();
    expect(visit.app.banner.message$.value).to.equal("Something else.");
  });

  it("reopens after inactivity when the tab becomes visible", async () => {
    const { app, sockets, clock, tabs } = await startApp();
    sockets.latest().accept();
    tabs.visible$.set(false);
    for (let passed = 0; passed < 60; passed += 1) {
      sockets.latest().push({ type: "heartbeat_ack" });
      await clock.advance(10_000);
    }
    expect(app.realtime.state$.value).to.equal("disconnected");
    tabs.visible$.set(true);
    expect(sockets.connections).to.have.length(2);
  });

  it("refreshes an old token before it connects again, without a notice to the user", async () => {
    const { app, sockets, clock, product } = await startApp();
    sockets.latest().accept();
    await clock.advance(10_000);
    product.expireToken();
    sockets.latest().drop(1008);
    await clock.advance(2_400);
    expect(product.token()).not.to.equal(tokenOf("ada@example.org"));
    expect(sockets.connections).to.have.length(2);
    expect(sockets.latest().address).to.include(`token=${encodeURIComponent(product.token())}`);
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("checks the session without a toast while the server is away, and ends it only when the server refuses it", async () => {
    const { app, sockets, clock, server, product } = await startApp();
    sockets.latest().accept();
    await clock.advance(10_000);
    server.cutOff(true);
    sockets.latest().drop(1012);
    await clock.advance(2_400);
    sockets.latest().drop(1006);
    await clock.advance(0);
    expect(app.toasts.list$.value).to.deep.equal([]);
    server.cutOff(false);
    product.endSession();
    await clock.advance(3_600);
    sockets.latest().drop(1006);
    await clock.advance(20_000);
    expect(app.session.state$.value.kind).to.equal("signed-out");
    expect(app.realtime.state$.value).to.equal("idle");
  });
});

describe("The connection diagnostics", () => {
  it("shows a time, the server's response time, and the last events in plain words, the newest first", async () => {
    const { signedIn, sockets, clock, server } = await startApp();
    server.on("GET", "/healthz", { json: {}, afterMs: 34 });
    sockets.latest().accept();
    const pending = signedIn().feature(createDiagnose)();
    await clock.advance(34);
    expect(await pending).to.deep.equal({
      at: startsAt + 34,
      answeredAfterMs: 34,
      error: null,
      lastClose: null,
      events: [
        { at: startsAt, text: "Connected" },
        { at: startsAt, text: "Connecting" },
      ],
    });
  });

  it("shows the last error, and what its close code means", async () => {
    const { signedIn, sockets, server } = await startApp();
    server.on("GET", "/healthz", { json: {} });
    sockets.latest().accept();
    sockets.latest().drop(1008, "The session has ended");
    expect(await signedIn().feature(createDiagnose)()).to.deep.include({
      error: "Closed. Policy violation, likely an authentication failure (code 1008): The session has ended.",
      lastClose: "Policy violation, likely an authentication failure (code 1008)",
    });
  });

  it("reports a server with failing answers, without an answer or unreachable, and shows no toast", async () => {
    const { app, signedIn, clock, server, sockets } = await startApp();
    sockets.latest().accept();
    server.on("GET", "/healthz", { status: 503 });
    expect((await signedIn().feature(createDiagnose)())?.error).to.equal(
      "The server answered with status 503.",
    );
    server.on("GET", "/healthz", "silent");
    const pending = signedIn().feature(createDiagnose)();
    await clock.advance(15_000);
    expect((await pending)?.error).to.equal("The server did not answer within 15 s.");
    server.cutOff(true);
    expect(await signedIn().feature(createDiagnose)()).to.include({
      error: "The server could not be reached.",
      answeredAfterMs: null,
    });
    expect(app.toasts.list$.value).to.deep.equal([]);
  });

  it("reports a device that is offline", async () => {
    const { signedIn, online$, server } = await startApp();
    online$.set(false);
    server.cutOff(true);
    expect((await signedIn().feature(createDiagnose)())?.error).to.equal("This device is offline.");
  });

  it("has a description for every event", async () => {
    const { signedIn, clock, sockets, server, online$ } = await startApp();
    server.on("GET", "/healthz", { json: {} });
    sockets.latest().accept();
    sockets.latest().push({ type: "connection_error", data: { error: "slow today" } });
    await clock.advance(40_000);
    await clock.advance(2_400 + 15_000);
    online$.set(false);
    online$.set(true);
    sockets.latest().accept();
    sockets.latest().push({ type: "auth_response", data: { success: false, error: "unknown token" } });
    const texts = (await signedIn().feature(createDiagnose)())?.events.map(({ text }) => text) ?? [];
    expect(texts.toReversed()).to.deep.equal([
      "Connecting",
      "Connected",
      "The server reported a problem: slow today",
      "The server did not answer",
      "Connecting again, attempt 1 of 5",
      "Not connected in time",
      "The device woke up or its network came back",
      "Connecting",
      "Connected",
      "The server did not accept the session: unknown token",
    ]);
  });
});
