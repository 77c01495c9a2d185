import { expect } from "chai";
import { dayMs } from "../../../../core/kernel/durations.ts";
import {
  firstChartDay,
  firstFigureDay,
  oldestPeriodWithin,
  periodOf,
  startOfPeriod,
} from "../../../../server/features/insights/history.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

describe("The history of figures", () => {
  it("covers seven whole days on the Free plan, which counts by day", () => {
    expect(periodOf(7 * dayMs, now)).to.equal("2026-11-21");
    expect(oldestPeriodWithin(7 * dayMs, now)).to.deep.equal({ day: "2026-11-15", month: "2026-12" });
    expect(firstFigureDay(7 * dayMs, oldestPeriodWithin(7 * dayMs, now))).to.equal("2026-11-15");
    expect(firstChartDay(7 * dayMs, now)).to.equal("2026-11-15");
  });

  it("covers a year of whole months on Pro, and 31 days in its chart", () => {
    expect(periodOf(365 * dayMs, now)).to.equal("2026-11");
    expect(oldestPeriodWithin(365 * dayMs, now)).to.deep.equal({ day: "2025-11-22", month: "2025-12" });
    expect(firstChartDay(365 * dayMs, now)).to.equal("2026-10-22");
  });

  it("is unlimited on Business", () => {
    expect(periodOf(null, now)).to.equal("2026-11");
    expect(oldestPeriodWithin(null, now)).to.deep.equal({ day: "", month: "" });
  });

  it("includes a day and a month that begin exactly at the limit", () => {
    const midnight = Date.parse("2026-11-08T00:00:00Z");
    expect(oldestPeriodWithin(7 * dayMs, midnight)).to.deep.equal({ day: "2026-11-01", month: "2026-11" });
  });

  it("starts at midnight in UTC", () => {
    expect(startOfPeriod("2026-11")).to.equal("2026-11-01T00:00:00.000Z");
    expect(startOfPeriod("2026-11-21")).to.equal("2026-11-21T00:00:00.000Z");
  });
});
