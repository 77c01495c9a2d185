import { expect } from "chai";
import { dayMs, hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import { shortAgo } from "../../../web/format/shortAgo.ts";

const now = Date.UTC(2026, 10, 20);

describe("How long ago a time was, in a narrow column", () => {
  for (const [elapsed, text] of [
    [0, "now"],
    [-5_000, "now"],
    [minuteMs - 1, "now"],
    [3 * minuteMs, "3 min"],
    [16 * hourMs + 5, "16 h"],
    [2 * dayMs, "2 d"],
    [29 * dayMs, "29 d"],
    [155 * dayMs, "5 mo"],
    [800 * dayMs, "2 y"],
  ] as const)
    it(`is ${text} after ${elapsed} ms`, () => {
      expect(shortAgo(now - elapsed, now)).to.equal(text);
    });
});
