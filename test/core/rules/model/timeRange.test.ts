import { expect } from "chai";
import fc from "fast-check";
import { isRight } from "fp-ts/lib/Either.js";
import { createTimeMatcher, minuteOfDayIn } from "../../../../core/rules/model/timeRange.ts";

const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
const minuteOfDay = fc.nat(1_439);

const minuteIn = (zone: string, now: number): number => {
  const clocks = minuteOfDayIn(zone);
  if (isRight(clocks)) return clocks.right(now);
  throw new Error(`there is no zone ${zone}`);
};

describe("A time range", () => {
  it("contains the minutes from its start to its end, past midnight or not", () => {
    fc.assert(
      fc.property(minuteOfDay, minuteOfDay, minuteOfDay, (start, end, minute) => {
        const isWithin = createTimeMatcher({ startTime: clock(start), endTime: clock(end), timeZone: "UTC" });
        const length = (end - start + 1_440) % 1_440 || 1_440;
        expect(isWithin(minute)).to.equal((minute - start + 1_440) % 1_440 < length);
      }),
      { numRuns: 1_000 },
    );
  });

  it("begins and ends by the clocks of its zone, in every zone and at every time of the year", () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const times = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });
    fc.assert(
      fc.property(zones, times, (zone, now) => {
        const shown = new Intl.DateTimeFormat("en-US", {
          timeZone: zone,
          hourCycle: "h23",
          hour: "numeric",
          minute: "numeric",
        }).formatToParts(now);
        const part = (type: string): number => Number(shown.find((one) => one.type === type)?.value);
        expect(minuteIn(zone, now)).to.equal(part("hour") * 60 + part("minute"));
      }),
      { numRuns: 200 },
    );
  });

  it("treats midnight as 00:00", () => {
    expect(minuteIn("UTC", Date.UTC(2026, 10, 20))).to.equal(0);
    expect(minuteIn("Europe/Zurich", Date.UTC(2026, 10, 19, 23))).to.equal(0);
  });

  it("reports an unknown time zone", () => {
    expect(minuteOfDayIn("Mars/Olympus")).to.deep.equal({
      _tag: "Left",
      left: "Choose a time zone from the list, such as Europe/Paris",
    });
  });
});
