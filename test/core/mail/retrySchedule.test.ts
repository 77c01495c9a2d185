import { expect } from "chai";
import { delayNoticeAfterMs, giveUpAfterMs, nextRetryAt } from "../../../core/mail/retrySchedule.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("The next delivery attempt for a mail", () => {
  const day = 24 * hour;
  const at = (now: number) => ({ now, attemptedAt: now });
  const waitAfter = (attempts: number, fraction = 0, now = 30 * hour): number =>
    (nextRetryAt({ attempts, createdAt: 0, attemptedAt: now, now, fraction }) ?? -1) - now;

  it("comes after 1 minute, then after twice as long each time, and never after more than 4 hours", () => {
    expect([1, 2, 3, 4, 5, 8, 9, 30].map((attempts) => waitAfter(attempts) / minute)).to.deep.equal([
      1, 2, 4, 8, 16, 128, 240, 240,
    ]);
  });

  it("comes after 1 hour at most on the first day", () => {
    expect([1, 6, 7, 8, 30].map((attempts) => waitAfter(attempts, 0, 5 * hour) / minute)).to.deep.equal([
      1, 32, 60, 60, 60,
    ]);
    expect(waitAfter(30, 0, day - 1)).to.equal(hour);
    expect(waitAfter(30, 0, day)).to.equal(4 * hour);
  });

  it("is delayed by up to a tenth at random", () => {
    expect(waitAfter(1, 0.999_999)).to.be.within(1.09 * minute, 1.1 * minute);
    expect(waitAfter(30, 0.999_999)).to.be.within(4.39 * hour, 4.4 * hour);
  });

  it("counts its wait from the beginning of an attempt that a hanging server has kept, and comes soon after it", () => {
    const waitAfterHanging = (attempts: number, hungFor: number): number | null =>
      nextRetryAt({ attempts, createdAt: 0, attemptedAt: 0, now: hungFor, fraction: 0 });
    expect(waitAfterHanging(1, 10 * minute), "a wait that is over").to.equal(10 * minute + 10_000);
    expect(waitAfterHanging(4, 3 * minute), "one that is not over").to.equal(8 * minute);
  });

  it("comes after 4 hours at the latest, when the owner is told of the delay", () => {
    expect(delayNoticeAfterMs).to.equal(4 * hour);
    expect(nextRetryAt({ attempts: 8, createdAt: 0, ...at(3 * hour + 7 * minute), fraction: 0.5 })).to.equal(
      4 * hour,
    );
    expect(nextRetryAt({ attempts: 9, createdAt: 0, ...at(4 * hour), fraction: 0 })).to.equal(5 * hour);
  });

  it("comes a last time after 5 days", () => {
    const day5 = giveUpAfterMs;
    expect(day5).to.equal(5 * 24 * hour);
    expect(nextRetryAt({ attempts: 40, createdAt: 0, ...at(day5 - hour), fraction: 0 })).to.equal(day5);
    expect(nextRetryAt({ attempts: 41, createdAt: 0, ...at(day5), fraction: 0 })).to.equal(null);
  });
});
