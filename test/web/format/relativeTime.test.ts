import { expect } from "chai";
import { clockTime, relativeTime, timeAgo, timeAgoInSentence } from "../../../web/format/dates.ts";

const now = new Date(2026, 10, 20, 14, 5, 3).getTime();
const plain = (text: string): string => text.replace(/\s/g, " ");

describe("A relative time", () => {
  for (const [agoMs, words] of [
    [-5_000, "Just now"],
    [59_999, "Just now"],
    [60_000, "1 minute ago"],
    [3_599_999, "59 minutes ago"],
    [3_600_000, "1 hour ago"],
    [11 * 3_600_000, "11 hours ago"],
    [12 * 3_600_000, "Nov 20, 2026, 2:05 AM"],
    [5 * 86_400_000, "Nov 15, 2026, 2:05 PM"],
  ] as const)
    it(`is "${words}" after ${agoMs} ms`, () => {
      expect(plain(relativeTime(now - agoMs, now))).to.equal(words);
    });

  for (const [agoMs, words] of [
    [59_999, "Just now"],
    [11 * 3_600_000, "11 hours ago"],
    [23 * 3_600_000, "23 hours ago"],
    [24 * 3_600_000, "1 day ago"],
    [3.5 * 86_400_000, "3 days ago"],
    [30 * 86_400_000, "Oct 21, 2026"],
  ] as const)
    it(`is "${words}" on a card after ${agoMs} ms`, () => {
      expect(plain(timeAgo(now - agoMs, now))).to.equal(words);
    });

  it("begins with a small letter within a sentence", () => {
    expect(timeAgoInSentence(now - 59_999, now)).to.equal("just now");
    expect(timeAgoInSentence(now - 60_000, now)).to.equal("1 minute ago");
  });

  it("includes seconds where they matter", () => {
    expect(plain(clockTime(now))).to.equal("2:05:03 PM");
  });
});
