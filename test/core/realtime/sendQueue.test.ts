import { expect } from "chai";
import fc from "fast-check";
import {
  availableSlots,
  enqueue,
  nextSlotAfterMs,
  type Priority,
  type QueuedMessage,
  recordSent,
  requeue,
  type SendQueue,
  type SendTimes,
  takeBatch,
  utf8Length,
} from "../../../core/realtime/sendQueue.ts";

const message = (
  id: string,
  priority: Priority = "normal",
  text = `"${id}"`,
  retries = 3,
): QueuedMessage => ({
  id,
  text,
  priority,
  retries,
});
const queueOf = (...messages: readonly QueuedMessage[]): SendQueue =>
  messages.reduce(enqueue, [] as SendQueue);
const ids = (queue: readonly QueuedMessage[]): string => queue.map(({ id }) => id).join(" ");

describe("The send queue", () => {
  it("sends high priority first, then normal, then low, each in the order of arrival", () => {
    const queue = queueOf(
      message("l1", "low"),
      message("n1"),
      message("h1", "high"),
      message("l2", "low"),
      message("h2", "high"),
      message("n2"),
    );
    expect(ids(queue)).to.equal("h1 h2 n1 n2 l1 l2");
  });

  it("puts an unsent message that may be retried back with low priority, and drops the others", () => {
    const queue = requeue(queueOf(message("n1"), message("l1", "low")), [
      message("h1", "high"),
      message("h2", "high", "2", 0),
    ]);
    expect(ids(queue)).to.equal("n1 l1 h1");
    expect(queue.at(-1)).to.include({ priority: "low", retries: 2 });
  });

  it("returns at most 10 messages at once", () => {
    const queue = queueOf(...Array.from({ length: 23 }, (_, n) => message(`m${n}`)));
    expect(takeBatch(queue, 100).batch).to.have.length(10);
    expect(takeBatch(queue, 3).batch).to.have.length(3);
    expect(takeBatch(queue, 0).batch).to.have.length(0);
    expect(takeBatch([], 100).batch).to.have.length(0);
    expect(ids([...takeBatch(queue, 7).batch, ...takeBatch(queue, 7).rest])).to.equal(ids(queue));
  });

  it("returns no more messages than fit into 16,384 bytes, and a longer one alone", () => {
    const long = message("long", "normal", "x".repeat(16_384));
    const half = (id: string): QueuedMessage => message(id, "normal", "x".repeat(8_000));
    expect(ids(takeBatch(queueOf(long, message("n1")), 100).batch)).to.equal("long");
    expect(ids(takeBatch(queueOf(half("a"), half("b"), half("c")), 100).batch)).to.equal("a b");
  });

  it("counts UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const json = JSON.stringify(text);
        expect(utf8Length(json)).to.equal(Buffer.byteLength(json));
      }),
    );
  });
});

describe("The rate limit", () => {
  it("allows 100 messages in any minute, ten of them reserved for the connection itself", () => {
    const pace = recordSent([], 0, 90);
    expect([availableSlots(pace, 0), availableSlots(pace, 0, true)]).to.deep.equal([0, 10]);
    expect([
      availableSlots(recordSent(pace, 30_000, 10), 30_000, true),
      availableSlots(pace, 59_999),
    ]).to.deep.equal([0, 0]);
    expect(availableSlots(pace, 60_000)).to.equal(90);
    expect(nextSlotAfterMs(pace, 20_000)).to.equal(40_000);
    expect(nextSlotAfterMs([], 0)).to.equal(0);
  });

  it("never allows more than 100 in any minute, for any sequence, and reports correctly when the next one may go", () => {
    const act = fc.record({ afterMs: fc.nat(20_000), count: fc.nat(120), forItself: fc.boolean() });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        let pace: SendTimes = [];
        let now = 0;
        const all: number[] = [];
        for (const { afterMs, count, forItself } of acts) {
          now += afterMs;
          const allowed = Math.min(count, availableSlots(pace, now, forItself));
          pace = recordSent(pace, now, allowed);
          all.push(...Array.from({ length: allowed }, () => now));
          if (availableSlots(pace, now) === 0) {
            const waitMs = nextSlotAfterMs(pace, now);
            expect(availableSlots(pace, now + waitMs - 1)).to.equal(0);
            expect(availableSlots(pace, now + waitMs)).to.be.above(0);
          }
        }
        for (const from of all)
          expect(all.filter((at) => at >= from && at < from + 60_000).length).to.be.at.most(100);
      }),
    );
  });
});
