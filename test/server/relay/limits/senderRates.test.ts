import { expect } from "chai";
import * as fc from "fast-check";
import { hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import { createOwnRates } from "../../../../server/platform/rates/rates.ts";
import { createSenderRates } from "../../../../server/relay/limits/senderRates.ts";

const limits = { perMinute: 60, perHour: 600 };
const shop = { domain: "shop.example", network: "192.0.2.7" };

describe("What one sender may send to an account", () => {
  let now = 0;
  const create = (perMinute = limits.perMinute, perHour = limits.perHour) => {
    now = 1_000 * hourMs;
    const rates = createSenderRates(
      { perMinute, perHour },
      { now: () => now },
      createOwnRates(() => now),
    );
    /** Returns how many of these mails are counted. */
    const send = (count: number, from = shop, userId = "owner"): number =>
      Array.from({ length: count }, () => rates.count(userId, from)).filter((ticket) => ticket !== null)
        .length;
    return { rates, send };
  };

  it("is 60 mails a minute from one domain, and from one network", () => {
    const { send } = create();
    expect(send(100)).to.equal(60);
    expect(send(1, { ...shop, network: "192.0.2.8" }), "the domain elsewhere").to.equal(0);
    expect(send(1, { ...shop, domain: "other.example" }), "another domain of the network").to.equal(0);
    expect(send(1, { domain: "other.example", network: "192.0.2.8" })).to.equal(1);
    expect(send(1, shop, "somebody else")).to.equal(1);
  });

  it("is 60 mails again within 70 seconds", () => {
    const { send } = create();
    send(60);
    now += 59_999;
    expect(send(1)).to.equal(0);
    now += 10_001;
    expect(send(100)).to.equal(60);
  });

  it("is 600 mails an hour", () => {
    const { send } = create();
    let sent = 0;
    for (let minute = 0; minute < 20; minute += 1) {
      sent += send(60);
      now += 70_000;
    }
    expect(sent).to.equal(600);
    now += hourMs - 20 * 70_000 - 1;
    expect(send(1)).to.equal(0);
    now += 10 * minuteMs + 1;
    expect(send(1)).to.equal(1);
  });

  it("counts mail without a sender for its network only", () => {
    const { send } = create();
    expect(send(100, { domain: "", network: "192.0.2.7" })).to.equal(60);
    expect(send(1, { domain: "", network: "192.0.2.8" })).to.equal(1);
  });

  it("does not count a mail that never arrived, and one that was refused for its network only", () => {
    const { rates, send } = create();
    for (let n = 0; n < 100; n += 1) rates.count("owner", shop)?.cancel(false);
    for (let n = 0; n < 59; n += 1) rates.count("owner", shop)?.cancel(true);
    expect(send(10)).to.equal(1);
    expect(send(100, { ...shop, network: "192.0.2.8" })).to.equal(59);
  });

  it("is counted from zero when the clock was set back", () => {
    const { send } = create();
    send(60);
    now -= 2 * hourMs;
    expect(send(100)).to.equal(60);
  });

  it("is never more than the limit in any minute and any hour, whatever comes when", () => {
    const step = fc.record({
      pauseMs: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 20 * minuteMs })),
      mails: fc.integer({ min: 1, max: 6 }),
      isCanceled: fc.boolean(),
    });
    void fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { rates } = create(5, 20);
        const taken: number[] = [];
        for (const { pauseMs, mails, isCanceled } of steps) {
          now += pauseMs;
          for (let n = 0; n < mails; n += 1) {
            const ticket = rates.count("owner", shop);
            if (isCanceled) ticket?.cancel(false);
            else if (ticket) taken.push(now);
          }
        }
        for (const [lengthMs, limit] of [
          [minuteMs, 5],
          [hourMs, 20],
        ] as const)
          for (const end of taken)
            expect(taken.filter((at) => at > end - lengthMs && at <= end).length).to.be.at.most(limit);
      }),
    );
  });

  it("is remembered for at most 20,000 pairs of account and sender", () => {
    const { send } = create();
    send(60);
    for (let n = 0; n < 10_000; n += 1) send(1, { domain: `d${n}.example`, network: `n${n}` }, `user ${n}`);
    expect(send(1), "the least recent is forgotten").to.equal(1);
  });
});
