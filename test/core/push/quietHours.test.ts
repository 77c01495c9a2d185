import { expect } from "chai";
import { isRight } from "fp-ts/lib/Either.js";
import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import { QuietHours, quietUntil } from "../../../core/push/quietHours.ts";

const night: QuietHours = { startTime: "22:00", endTime: "07:00", timeZone: "Europe/Vienna" };
const vienna = (hour: number, minute = 0, second = 0): number =>
  Date.UTC(2026, 10, 30, hour - 1, minute, second);

describe("Quiet hours", () => {
  it("end at their end in the device's zone, before and after midnight", () => {
    expect(quietUntil(night, vienna(23, 30, 12))).to.equal(vienna(23, 30) + 7 * hourMs + 30 * minuteMs);
    expect(quietUntil(night, vienna(6, 59, 59))).to.equal(vienna(7));
    expect(quietUntil(night, vienna(22))).to.equal(vienna(22) + 9 * hourMs);
  });

  it("are not by day, at their end included", () => {
    for (const moment of [vienna(7), vienna(12), vienna(21, 59, 59)])
      expect(quietUntil(night, moment)).to.equal(null);
  });

  it("can lie within a day", () => {
    const lunch = { startTime: "12:00", endTime: "13:00", timeZone: "Europe/Vienna" };
    expect(quietUntil(lunch, vienna(12, 20))).to.equal(vienna(13));
    expect(quietUntil(lunch, vienna(13))).to.equal(null);
  });

  it("have an end that differs from their beginning, and a zone that there is", () => {
    expect(isRight(QuietHours.decode(night))).to.equal(true);
    for (const wrong of [{ endTime: "22:00" }, { startTime: "24:00" }, { timeZone: "Nowhere/Land" }])
      expect(isRight(QuietHours.decode({ ...night, ...wrong })), JSON.stringify(wrong)).to.equal(false);
  });
});
