import { expect } from "chai";
import { stableAfterMs } from "../../../core/realtime/connectionTiming.ts";
import { describeCloseCode } from "../../../core/realtime/diagnosis.ts";
import { startsAt } from "../../fakes/virtualClock.ts";
import { aToken, historyKinds, openSocketClient, typesSent } from "./openSocketClient.ts";

describe("The connection to the server", () => {
  it("authenticates with the first message, and then subscribes to topics", async () => {
    const { link, sockets } = openSocketClient();
    link.subscribeTo({ channel: "notifications" });
    link.subscribeTo({ resource: "mask", resourceId: "m1" });
    expect(link.state$.value).to.equal("connecting");
    sockets.latest().accept();
    expect(link.state$.value).to.equal("connected");
    const [auth, first, second] = sockets.latest().sent;
    expect(auth).to.include({ type: "auth", timestamp: startsAt });
    expect(auth?.["sessionId"]).to.match(/^[0-9a-f]{32}$/);
    expect(auth?.["data"]).to.deep.equal({
      token: aToken,
      sessionId: auth?.["sessionId"],
      capabilities: { binary: false, compression: false, encryption: false },
    });
    expect(first).to.deep.include({ type: "subscribe", data: { channel: "notifications" } });
    expect(second).to.deep.include({ type: "subscribe", data: { resource: "mask", resourceId: "m1" } });
    expect(sockets.latest().address).to.equal(
      `/ws?token=${aToken}&t=${startsAt}&client=web&sessionId=${auth?.["sessionId"]}`,
    );
  });

  it("subscribes to and unsubscribes from a topic while it is open, and subscribes again over the next connection", async () => {
    const { link, sockets, accept, clock } = openSocketClient();
    await accept();
    const unfollow = link.subscribeTo({ resource: "rules" });
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "subscribe"]);
    sockets.latest().drop(1012);
    await clock.advance(2_400);
    await accept();
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "subscribe"]);
    unfollow();
    expect(sockets.latest().sent.at(-1)).to.deep.include({
      type: "unsubscribe",
      data: { resource: "rules" },
    });
    sockets.latest().drop(1012);
    await clock.advance(3_600);
    await accept();
    expect(typesSent(sockets.latest())).to.deep.equal(["auth"]);
  });

  it("subscribes once to a topic that several follow, and unsubscribes with the last of them", async () => {
    const { link, sockets, accept } = openSocketClient();
    await accept();
    const [first, second] = [link.subscribeTo({ resource: "held" }), link.subscribeTo({ resource: "held" })];
    first();
    first();
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "subscribe"]);
    second();
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "subscribe", "unsubscribe"]);
  });

  it("asks for a topic that is followed again, over the next connection where there is none (RT12)", async () => {
    const { link, sockets, accept, clock } = openSocketClient();
    await accept();
    const topic = { resource: "rules", resourceId: "m1" };
    link.subscribeTo(topic)();
    const unfollow = link.subscribeTo(topic);
    expect(sockets.latest().sent.at(-1)).to.deep.include({ type: "request_update" });
    expect(sockets.latest().sent.at(-1)?.["data"]).to.deep.include(topic).and.to.have.property("requestId");
    unfollow();
    sockets.latest().drop(1012);
    link.subscribeTo(topic);
    await clock.advance(2_400);
    await accept();
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "subscribe", "request_update"]);
    sockets.latest().drop(1012);
    await clock.advance(3_600);
    await accept();
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "subscribe"]);
  });

  it("reconnects after it breaks at 2, 3, 4.5, 6.75 and 10.125 s ± 20 %, five times, and then stops", async () => {
    const { link, sockets, clock } = openSocketClient();
    sockets.latest().accept();
    const waits: number[] = [];
    for (let tries = 0; link.state$.value !== "max-retries"; tries += 1) {
      expect(tries).to.be.below(7);
      sockets.latest().drop(1006);
      const count = sockets.connections.length;
      let waited = 0;
      while (link.state$.value === "disconnected" && sockets.connections.length === count) {
        await clock.advance(50);
        waited += 50;
      }
      if (sockets.connections.length > count) waits.push(waited);
    }
    const middle = [2_000, 3_000, 4_500, 6_750, 10_125];
    expect(waits).to.have.length(5);
    waits.forEach((wait, at) => {
      expect(wait).to.be.within((middle[at] ?? 0) * 0.8, (middle[at] ?? 0) * 1.2 + 50);
    });
    await clock.advance(3_600_000);
    expect(sockets.connections).to.have.length(6);
    link.reconnect();
    expect(link.state$.value).to.equal("connecting");
    sockets.latest().drop(1006);
    await clock.advance(2_400);
    expect(sockets.connections, "the count is fresh").to.have.length(8);
  });

  it("gives up opening after 15 s", async () => {
    const { link, sockets, clock } = openSocketClient();
    await clock.advance(14_999);
    expect(link.state$.value).to.equal("connecting");
    await clock.advance(1);
    expect(link.state$.value).to.equal("disconnected");
    expect(sockets.latest().closedBy()).to.deep.equal({ code: 4000, reason: "not opened in time" });
    await clock.advance(2_400);
    expect(sockets.connections).to.have.length(2);
  });

  it("is attempted again 3 s after there was no token, or a malformed one", async () => {
    const { link, sockets, clock, token$, accept } = openSocketClient();
    await accept();
    token$.set("opaque");
    sockets.latest().drop(1001);
    await clock.advance(2_400);
    expect(sockets.connections).to.have.length(1);
    expect(link.state$.value).to.equal("disconnected");
    token$.set(null);
    await clock.advance(9_000);
    expect(sockets.connections).to.have.length(1);
    token$.set(aToken);
    await clock.advance(3_000);
    expect(sockets.connections).to.have.length(2);
    expect(historyKinds(link)).to.include("no-token");
  });

  it("sends a heartbeat every 30 s and closes when it is not answered within 10 s", async () => {
    const { link, sockets, clock, reporter } = openSocketClient();
    sockets.latest().accept();
    await clock.advance(30_000);
    const heartbeat = sockets.latest().sent.at(-1);
    expect(Object.keys(heartbeat ?? {})).to.have.members(["type", "timestamp", "sessionId"]);
    expect(heartbeat).to.include({ type: "heartbeat", timestamp: startsAt + 30_000 });
    await clock.advance(5_000);
    sockets.latest().push({ type: "heartbeat_ack" });
    await clock.advance(25_000);
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "heartbeat", "heartbeat"]);
    await clock.advance(9_999);
    expect(link.state$.value).to.equal("connected");
    await clock.advance(1);
    expect(link.state$.value).to.equal("disconnected");
    expect(sockets.latest().closedBy()?.code).to.equal(4000);
    expect(reporter.reports.map(({ error }) => String(error))).to.deep.equal([
      "Error: The socket was closed with code 4000",
    ]);
    await clock.advance(2_400);
    expect(sockets.connections).to.have.length(2);
  });

  it("answers the server's own heartbeat", async () => {
    const { sockets, accept } = openSocketClient();
    await accept();
    sockets.latest().push({ type: "heartbeat" });
    expect(sockets.latest().sent.at(-1)).to.include({ type: "heartbeat_ack" });
  });

  it("closes on purpose after 10 minutes without activity, and reopens with the next", async () => {
    const { link, sockets, clock } = openSocketClient();
    sockets.latest().accept();
    const live = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 10_000) {
        await clock.advance(10_000);
        sockets.latest().push({ type: "heartbeat_ack" });
      }
    };
    await live(590_000);
    link.markActive();
    await live(590_000);
    expect(link.state$.value).to.equal("connected");
    await live(10_000);
    expect(link.state$.value).to.equal("disconnected");
    expect(sockets.latest().closedBy()).to.deep.equal({ code: 1000, reason: "inactive" });
    await clock.advance(3_600_000);
    expect(sockets.connections).to.have.length(1);
    link.markActive();
    expect(sockets.connections).to.have.length(2);
  });

  it("reopens after inactivity to send a message", async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    sockets.latest().accept();
    for (let passed = 0; passed < 60; passed += 1) {
      sockets.latest().push({ type: "heartbeat_ack" });
      await clock.advance(10_000);
    }
    expect(historyKinds(link).at(-1)).to.equal("inactive");
    link.send({ type: "mark_read", data: { all: true } }, { priority: "low" });
    await accept();
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "mark_read"]);
  });

  it("does not reconnect after a normal close", async () => {
    const { link, sockets, clock, reporter, accept } = openSocketClient();
    await accept();
    sockets.latest().drop(1000);
    link.markActive();
    await clock.advance(3_600_000);
    expect(sockets.connections).to.have.length(1);
    expect(reporter.reports).to.have.length(0);
  });

  it("checks the session after a policy close (1008), and reconnects only when it is valid", async () => {
    const { link, sockets, clock, session, accept } = openSocketClient();
    await accept();
    session.verdict = "unknown";
    sockets.latest().drop(1008, "The session has ended");
    await clock.advance(0);
    expect(session.asked).to.equal(1);
    await clock.advance(2_400);
    expect(session.asked).to.equal(2);
    expect(sockets.connections).to.have.length(1);
    session.verdict = "good";
    await clock.advance(3_600 + 5_400);
    expect(sockets.connections).to.have.length(2);
    await accept();
    session.verdict = "ended";
    sockets
      .latest()
      .push({ type: "auth_response", data: { success: false, error: "Invalid or expired token" } });
    await clock.advance(3_600_000);
    expect(sockets.connections).to.have.length(2);
    expect(link.state$.value).to.equal("disconnected");
  });

  it("stops reconnecting when a valid session is never accepted", async () => {
    const { link, sockets, clock } = openSocketClient();
    for (let tries = 0; link.state$.value !== "max-retries"; tries += 1) {
      expect(tries).to.be.below(20);
      sockets.latest().accept();
      sockets.latest().push({ type: "auth_response", data: { success: false } });
      do await clock.advance(500);
      while (link.state$.value === "disconnected");
    }
    expect(sockets.connections).to.have.length(6);
  });

  it("stops reconnecting when sockets open and drop at once: 6 connections, each later than the one before", async () => {
    const { link, sockets, clock } = openSocketClient();
    const openedAt: number[] = [];
    while (link.state$.value !== "max-retries") {
      expect(openedAt.length).to.be.below(20);
      openedAt.push(clock.now());
      sockets.latest().accept();
      sockets.latest().drop(1006);
      do await clock.advance(100);
      while (link.state$.value === "disconnected");
    }
    const gaps = openedAt.slice(1).map((at, i) => at - (openedAt[i] ?? 0));
    expect(openedAt).to.have.length(6);
    expect(gaps).to.deep.equal(gaps.toSorted((a, b) => a - b));
    await clock.advance(3_600_000);
    expect(sockets.connections).to.have.length(6);
  });

  it("gives up after 5 attempts when the server drops each connection that it has just accepted", async () => {
    const { link, sockets, clock } = openSocketClient();
    for (let drops = 0; drops < 20 && link.state$.value !== "max-retries"; drops += 1) {
      sockets.latest().accept();
      sockets.latest().push({ type: "auth_response", data: { success: true } });
      await clock.advance(2_000);
      sockets.latest().drop(1012);
      await clock.advance(30_000);
    }
    expect(link.state$.value).to.equal("max-retries");
    expect(sockets.connections).to.have.length(6);
  });

  it("counts attempts from 0 again once an accepted connection has lived for 30 s", async () => {
    const { link, sockets, clock } = openSocketClient();
    for (let drops = 0; drops < 20; drops += 1) {
      sockets.latest().accept();
      sockets.latest().push({ type: "auth_response", data: { success: true } });
      await clock.advance(stableAfterMs);
      sockets.latest().drop(1012);
      await clock.advance(2_400);
      expect(link.state$.value).to.equal("connecting");
    }
  });

  it("checks the session when it cannot be opened, since the browser gives no reason, and does not wait for the answer", async () => {
    const { sockets, clock, session } = openSocketClient();
    sockets.latest().drop(1006);
    await clock.advance(0);
    expect(session.asked).to.equal(1);
    await clock.advance(2_400);
    expect(sockets.connections).to.have.length(2);
  });

  it("reconnects when the server requests it, after the time it names or 5 s", async () => {
    const { sockets, clock, accept } = openSocketClient();
    await accept();
    sockets.latest().push({ type: "connection_error", data: { reconnect: true, reconnectDelay: 700 } });
    await clock.advance(699);
    expect(sockets.connections).to.have.length(1);
    await clock.advance(1);
    expect(sockets.connections).to.have.length(2);
    await accept();
    sockets.latest().push({ type: "connection_error", data: { reconnect: true } });
    await clock.advance(4_999);
    expect(sockets.connections).to.have.length(2);
    await clock.advance(1);
    expect(sockets.connections).to.have.length(3);
  });

  it("reconnects at once after the device has slept, whatever it was waiting for", async () => {
    const { link, sockets, clock, fallAsleep, accept } = openSocketClient();
    await accept();
    fallAsleep(3_600_000);
    await clock.advance(29_500);
    expect(sockets.connections).to.have.length(2);
    for (let tries = 0; tries < 4; tries += 1) {
      sockets.latest().drop(1006);
      await clock.advance(9_000);
    }
    const before = sockets.connections.length;
    sockets.latest().drop(1006);
    fallAsleep(3_600_000);
    await clock.advance(13_000);
    expect(sockets.connections).to.have.length(before + 1);
    sockets.latest().drop(1006);
    await clock.advance(2_400);
    expect(sockets.connections, "the count is fresh").to.have.length(before + 2);
    expect(historyKinds(link)).to.include("resumed");
  });

  it("does not mistake a hidden page's late timer for sleep", async () => {
    const { link, sockets, clock, fallAsleep, accept } = openSocketClient();
    await accept();
    fallAsleep(60_000);
    await clock.advance(29_500);
    expect(typesSent(sockets.latest())).to.deep.equal(["auth", "heartbeat"]);
    expect(link.state$.value).to.equal("connected");
  });

  it("reconnects at once when the network returns, even after the last attempt", async () => {
    const { link, sockets, clock, online$ } = openSocketClient();
    online$.set(false);
    while (link.state$.value !== "max-retries") {
      sockets.latest().drop(1006);
      await clock.advance(13_000);
    }
    const before = sockets.connections.length;
    online$.set(true);
    expect(sockets.connections).to.have.length(before + 1);
    expect(link.state$.value).to.equal("connecting");
  });

  it("is reopened for another user, and closed without a user", async () => {
    const { link, sockets, clock, enabled$, accept } = openSocketClient();
    await accept();
    enabled$.set(false);
    expect(sockets.latest().closedBy()).to.deep.equal({ code: 1000, reason: "signed out" });
    expect(link.state$.value).to.equal("idle");
    expect(link.history$.value, "what happened to somebody else").to.deep.equal([]);
    await clock.advance(3_600_000);
    link.reconnect();
    link.markActive();
    expect(sockets.connections).to.have.length(1);
    enabled$.set(true);
    expect(sockets.connections).to.have.length(2);
  });

  it("closes when it is stopped", async () => {
    const { sockets, clock, stop, accept } = openSocketClient();
    await accept();
    stop();
    expect(sockets.latest().closedBy()?.code).to.equal(1000);
    await clock.advance(3_600_000);
    expect(sockets.connections).to.have.length(1);
  });

  it("ignores messages that it does not understand", async () => {
    const { link, sockets, accept } = openSocketClient();
    await accept();
    for (const odd of ["", "{", "null", "7", '{"type":"tomorrow"}', '{"type":"data_update"}', "\u0000"])
      sockets.latest().push(odd);
    expect(link.state$.value).to.equal("connected");
  });

  it("keeps the last 20 events with their times", async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    for (let round = 0; round < 8; round += 1) {
      await accept();
      await clock.advance(stableAfterMs);
      sockets.latest().drop(1012);
      await clock.advance(2_400);
    }
    expect(link.history$.value).to.have.length(20);
    expect(historyKinds(link).slice(-3)).to.deep.equal(["opened", "closed", "connecting"]);
    const times = link.history$.value.map(({ at }) => at);
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
  });

  it("reports unexpected closes of open connections, without the reason or the address", async () => {
    const { sockets, clock, reporter, accept } = openSocketClient();
    await accept();
    sockets.latest().drop(1011, `the token was ${aToken}`);
    await clock.advance(2_400);
    sockets.latest().drop(1006);
    expect(reporter.reports).to.have.length(1);
    expect(String(reporter.reports[0]?.error)).to.include("1011");
    expect(JSON.stringify(reporter.reports) + String(reporter.reports[0]?.error)).not.to.include(aToken);
  });
});

describe("The description of a close code", () => {
  it("describes 1008 as a policy violation, likely an authentication failure", () => {
    expect(describeCloseCode(1008)).to.equal("Policy violation, likely an authentication failure");
  });

  it("describes each code of the RFC, and any other", () => {
    for (const code of [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 1010, 1011, 1012, 1013, 1014, 1015])
      expect(describeCloseCode(code), String(code)).to.match(/^[A-Z].{8,}[^.]$/);
    expect(describeCloseCode(4242)).to.equal("Unknown reason");
  });
});
