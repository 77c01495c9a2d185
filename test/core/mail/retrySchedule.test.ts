import { expect } from "chai";
import { delayNoticeAfterMs, giveUpAfterMs, nextRetryAt } from "../../../core/mail/retrySchedule.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("The next delivery attempt for a mail", () => {
  const waitAfter = (attempts: number, fraction = 0): number =>
    (nextRetryAt({ attempts, createdAt: 0, now: 5 * hour, fraction }) ?? -1) - 5 * hour;

  it("comes after 1 minute, then after twice as long each time, and never after more than 4 hours", () => {
    expect([1, 2, 3, 4, 5, 8, 9, 30].map((attempts) => waitAfter(attempts) / minute)).to.deep.equal([
      1, 2, 4, 8, 16, 128, 240, 240,
    ]);
  });

  it("is delayed by up to a tenth at random", () => {
    expect(waitAfter(1, 0.999_999)).to.be.within(1.09 * minute, 1.1 * minute);
    expect(waitAfter(30, 0.999_999)).to.be.within(4.39 * hour, 4.4 * hour);
  });

  it("comes after 4 hours at the latest, when the owner is told of the delay", () => {
    expect(delayNoticeAfterMs).to.equal(4 * hour);
    expect(nextRetryAt({ attempts: 8, createdAt: 0, now: 2 * hour + 7 * minute, fraction: 0.5 })).to.equal(
      4 * hour,
    );
    expect(nextRetryAt({ attempts: 9, createdAt: 0, now: 4 * hour, fraction: 0 })).to.equal(8 * hour);
  });

  it("comes a last time after 5 days", () => {
    const day5 = giveUpAfterMs;
    expect(day5).to.equal(5 * 24 * hour);
    expect(nextRetryAt({ attempts: 40, createdAt: 0, now: day5 - hour, fraction: 0 })).to.equal(day5);
    expect(nextRetryAt({ attempts: 41, createdAt: 0, now: day5, fraction: 0 })).to.equal(null);
  });
});
