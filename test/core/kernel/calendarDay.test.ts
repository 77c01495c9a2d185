import { expect } from "chai";
import { lastDayText } from "../../../core/kernel/calendarDay.ts";

describe("What ends at the end of 24 December", () => {
  for (const [zone, end] of [
    ["UTC", "2026-12-25T00:00:00.000Z"],
    ["Europe/Vienna", "2026-12-24T23:00:00.000Z"],
    ["America/New_York", "2026-12-25T05:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-12-24T10:00:00.000Z"],
  ] as const)
    it(`is told as the 24th in ${zone}`, () => {
      expect(lastDayText(Date.parse(end), "en-GB", zone)).to.equal("24 Dec 2026");
    });
});
