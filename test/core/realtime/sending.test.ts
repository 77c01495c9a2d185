import { expect } from "chai";
import fc from "fast-check";
import { left } from "fp-ts/lib/Either.js";
import { timeout } from "../../../core/kernel/failure.ts";
import type { OutgoingMessage } from "../../../core/realtime/messageQueue.ts";
import type { ServerMessage } from "../../../core/realtime/messages.ts";
import type { Priority } from "../../../core/realtime/sendQueue.ts";
import { messagesSent, type OpenSocketClient, openSocketClient, typesSent } from "./openSocketClient.ts";

type Message<Type extends ServerMessage["type"]> = Extract<ServerMessage, { readonly type: Type }>;

const ask = (requestId: string): OutgoingMessage => ({
  type: "sync_request",
  data: { resource: "rules", requestId },
});
const isAnswerTo =
  (requestId: string) =>
  (message: ServerMessage): message is Message<"sync_complete"> =>
    message.type === "sync_complete" && message.data.requestId === requestId;
const answer = (requestId: string): ServerMessage => ({
  type: "sync_complete",
  data: { success: true, resource: "rules", requestId },
});
const named = (name: string, length = 0): OutgoingMessage => ({
  type: "mark_read",
  data: { notificationId: name + "x".repeat(length) },
});
const namesIn = (sent: readonly Record<string, unknown>[]): readonly string[] =>
  messagesSent(sent)
    .filter(({ type }) => type === "mark_read")
    .map(({ data }) => (data as { notificationId: string }).notificationId);

describe("A message sent while there is no connection", () => {
  it("waits, and is sent 500 ms after the connection opens: high, then normal, then low", async () => {
    const { link, sockets, clock } = openSocketClient();
    link.send(named("low"), { priority: "low" });
    link.send(named("normal"));
    link.send(named("high"), { priority: "high" });
    sockets.latest().accept();
    await clock.advance(499);
    expect(typesSent(sockets.latest())).to.deep.equal(["auth"]);
    await clock.advance(1);
    expect(namesIn(sockets.latest().sent)).to.deep.equal(["high", "normal", "low"]);
    expect(sockets.latest().sent[1], "one batch").to.include({ type: "batch" });
  });

  it("is sent with its own id, time and session inside a batch", async () => {
    const { link, accept } = openSocketClient();
    link.send(named("a"));
    link.send(named("b"));
    const { sent } = await accept();
    for (const message of messagesSent(sent)) {
      expect(message["id"]).to.match(/^[0-9a-f]{16}$/);
      expect(message["timestamp"]).to.be.a("number");
      expect(message["sessionId"]).to.equal(sent[0]?.["sessionId"]);
    }
  });

  it("opens the connection for high priority only", async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    await accept();
    sockets.latest().drop(1000);
    link.send(named("normal"));
    expect(sockets.connections).to.have.length(1);
    link.send(named("high"), { priority: "high" });
    expect(sockets.connections).to.have.length(2);
    await accept();
    expect(namesIn(sockets.latest().sent)).to.deep.equal(["high", "normal"]);
    await clock.advance(0);
  });

  it("is dropped when it is sent without queueing", async () => {
    const { link, sockets, accept } = openSocketClient();
    expect(link.sendNow(named("early"))).to.equal(false);
    await accept();
    expect(link.sendNow(named("in time"))).to.equal(true);
    sockets.latest().drop(1006);
    expect(link.sendNow(named("late"))).to.equal(false);
    expect(namesIn(sockets.latest().sent)).to.deep.equal(["in time"]);
  });

  it("is dropped when another user signs in", async () => {
    const { link, enabled$, accept } = openSocketClient();
    link.send(named("mine"));
    enabled$.set(false);
    expect(link.send(named("nobody's"))).to.equal(false);
    enabled$.set(true);
    expect(namesIn((await accept()).sent)).to.deep.equal([]);
  });

  it("is queued again with low priority when sending failed, at most three times", async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    link.send(named("a"), { priority: "high" });
    for (let times = 0; times < 4; times += 1) {
      sockets.latest().accept();
      sockets.latest().freeze();
      await clock.advance(500);
      sockets.latest().drop(1006);
      if (times < 3) link.send(named(`high${times}`), { priority: "high", retries: 0 });
      await clock.advance(2_400);
    }
    expect(namesIn((await accept()).sent)).to.deep.equal([]);
  });

  it("is still sent after three failures", async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    link.send(named("a"), { priority: "high" });
    for (let times = 0; times < 3; times += 1) {
      sockets.latest().accept();
      sockets.latest().freeze();
      await clock.advance(500);
      sockets.latest().drop(1006);
      await clock.advance(2_400);
    }
    link.send(named("later"));
    expect(namesIn((await accept()).sent), "as low").to.deep.equal(["later", "a"]);
  });
});

describe("The limits of sending", () => {
  it("are 16,384 bytes a message", async () => {
    const { link, sockets, accept } = openSocketClient();
    await accept();
    const overhead = Buffer.byteLength(JSON.stringify({ ...sockets.latest().sent[0], ...named("") }));
    expect(link.send(named("", 16_384 - overhead))).to.equal(true);
    expect(link.send(named("", 16_385 - overhead))).to.equal(false);
    expect(link.sendNow(named("é".repeat(8_192)))).to.equal(false);
    expect(namesIn(sockets.latest().sent)).to.have.length(1);
    expect(Buffer.byteLength(JSON.stringify(sockets.latest().sent.at(-1)))).to.equal(16_384);
  });

  it("are 10 messages a batch", async () => {
    const { link, accept } = openSocketClient();
    for (let n = 0; n < 25; n += 1) link.send(named(String(n)));
    const { sent } = await accept();
    const sizes = sent.slice(1).map(({ data }) => (data as { messages: unknown[] }).messages.length);
    expect(sizes).to.deep.equal([10, 10, 5]);
  });

  it("are 100 messages a minute; further messages wait, and heartbeats do not", async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    await accept();
    for (let n = 0; n < 150; n += 1) link.send(named(String(n)));
    expect(messagesSent(sockets.latest().sent).length).to.be.within(90, 100);
    await clock.advance(29_500);
    expect(typesSent(sockets.latest()).at(-1)).to.equal("heartbeat");
    sockets.latest().push({ type: "heartbeat_ack" });
    expect(messagesSent(sockets.latest().sent).length).to.be.at.most(100);
    await clock.advance(31_000);
    expect(namesIn(sockets.latest().sent)).to.deep.equal(Array.from({ length: 150 }, (_, n) => String(n)));
  });

  it("count from the start for the next socket, which authenticates whatever was sent on the one before", async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    await accept();
    for (let n = 0; n < 150; n += 1) link.send(named(String(n)));
    sockets.latest().drop(1012);
    await clock.advance(5_000);
    expect(typesSent(await accept())[0]).to.equal("auth");
    expect(messagesSent(sockets.latest().sent).length).to.be.above(50);
  });

  it("are a thousand waiting messages", () => {
    const { link } = openSocketClient();
    const stored = Array.from({ length: 1_001 }, (_, n) => link.send(named(String(n))));
    expect(stored.filter(Boolean)).to.have.length(1_000);
  });
});

describe("A request over the connection", () => {
  it("is answered by the message with its id", async () => {
    const { link, sockets, accept } = openSocketClient();
    await accept();
    const answers = ["r1", "r2"].map((id) => link.request(ask(id), isAnswerTo(id))());
    sockets.latest().push(answer("r2"));
    sockets.latest().push(answer("r1"));
    const [first, second] = await Promise.all(answers);
    expect(first).to.deep.include({ _tag: "Right", right: answer("r1") });
    expect(second).to.deep.include({ _tag: "Right", right: answer("r2") });
  });

  const failureOf = async (pending: Promise<unknown>): Promise<unknown> =>
    ((await pending) as { left?: { detail?: string } }).left?.detail;

  it('fails after 10 s with "Operation timed out after 10000ms"', async () => {
    const { link, clock, accept } = openSocketClient();
    await accept();
    const pending = link.request(ask("r1"), isAnswerTo("r1"))();
    let isOver = false;
    void pending.then(() => {
      isOver = true;
    });
    await clock.advance(9_999);
    expect(isOver).to.equal(false);
    await clock.advance(1);
    expect(await pending).to.deep.equal(left(timeout(10_000)));
    expect(link.history$.value.at(-1)).to.include({ error: "Operation timed out after 10000ms" });
  });

  it('fails with "WebSocket not connected" while there is no connection', async () => {
    const { link, accept } = openSocketClient();
    expect(await failureOf(link.request(ask("r1"), isAnswerTo("r1"))())).to.equal("WebSocket not connected");
    expect(typesSent(await accept()), "nothing waits").to.deep.equal(["auth"]);
  });

  it('fails with "WebSocket connection closed" when the connection closes first, and is not repeated', async () => {
    const { link, sockets, clock, accept } = openSocketClient();
    sockets.latest().accept();
    const pending = link.request(ask("r1"), isAnswerTo("r1"))();
    sockets.latest().drop(1006);
    expect(await failureOf(pending)).to.equal("WebSocket connection closed");
    await clock.advance(2_400);
    expect(typesSent(await accept())).to.deep.equal(["auth"]);
  });

  it('fails with "WebSocket service reset" when the user is no longer signed in', async () => {
    const { link, enabled$, accept } = openSocketClient();
    await accept();
    const pending = link.request(ask("r1"), isAnswerTo("r1"))();
    enabled$.set(false);
    expect(await failureOf(pending)).to.equal("WebSocket service reset");
  });
});

describe("Messages sent during random events", () => {
  type Act =
    | { readonly kind: "send"; readonly priority: Priority; readonly length: number; readonly times: number }
    | { readonly kind: "accept" | "freeze" | "heartbeat" | "reconnect" }
    | { readonly kind: "drop"; readonly code: number }
    | { readonly kind: "pass"; readonly ms: number };

  const act: fc.Arbitrary<Act> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("send" as const),
        priority: fc.constantFrom<Priority>("high", "normal", "low"),
        length: fc.oneof(fc.nat(20), fc.nat(9_000)),
        times: fc.constantFrom(1, 1, 2, 12, 60),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("accept" as const, "heartbeat" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("freeze" as const, "reconnect" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("drop" as const), code: fc.constantFrom(1006, 1012) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(20_000) }) },
  );

  const perform = async (page: OpenSocketClient, acts: readonly Act[]): Promise<readonly string[]> => {
    const sentTexts: string[] = [];
    for (const [at, done] of acts.entries()) {
      for (let time = 0; done.kind === "send" && time < done.times; time += 1) {
        const name = `${at}-${time}-`;
        if (page.link.send(named(name, done.length), { priority: done.priority, retries: acts.length }))
          sentTexts.push(name + "x".repeat(done.length));
      }
      if (done.kind === "accept" && page.link.state$.value === "connecting") page.sockets.latest().accept();
      if (done.kind === "freeze") page.sockets.latest().freeze();
      if (done.kind === "heartbeat") page.sockets.latest().push({ type: "heartbeat_ack" });
      if (done.kind === "reconnect") page.link.reconnect();
      if (done.kind === "drop") page.sockets.latest().drop(done.code);
      if (done.kind === "pass") await page.clock.advance(done.ms);
    }
    return sentTexts;
  };

  const settle = async (page: OpenSocketClient, sentTexts: readonly string[]): Promise<void> => {
    page.sockets.latest().drop(1006);
    for (let minutes = 0; minutes < 3 + sentTexts.length / 80; minutes += 1) {
      page.link.reconnect();
      if (page.link.state$.value === "connecting") page.sockets.latest().accept();
      for (let passed = 0; passed < 6; passed += 1) {
        await page.clock.advance(10_000);
        page.sockets.latest().push({ type: "heartbeat_ack" });
      }
    }
  };

  it("are never lost or sent twice while they may be retried, never over 100 a minute on a socket, 10 a batch, 16,384 bytes", () =>
    fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 80 }), fc.nat(), async (acts, seed) => {
        const page = openSocketClient(seed);
        const sentTexts = await perform(page, acts);
        await settle(page, sentTexts);
        const delivered = page.sockets.connections.flatMap(({ sent }) => namesIn(sent));
        expect(delivered.toSorted()).to.deep.equal(sentTexts.toSorted());
        for (const { sent, sentAt } of page.sockets.connections) {
          const times: number[] = [];
          sent.forEach((message, at) => {
            expect(Buffer.byteLength(JSON.stringify(message))).to.be.at.most(16_384);
            const inside = messagesSent([message]).length;
            expect(inside).to.be.at.most(10);
            times.push(...Array.from({ length: inside }, () => sentAt[at] ?? 0));
          });
          for (const from of times)
            expect(times.filter((time) => time >= from && time < from + 60_000).length).to.be.at.most(100);
        }
        page.stop();
      }),
      { numRuns: 120 },
    ));
});
