import { expect } from "chai";
import fc from "fast-check";
import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import { createDateTexts, durationText, longDate, shortDate } from "../../../web/format/dates.ts";

describe("Dates", () => {
  it("are short on a card and long in the account (MA4, AC3)", () => {
    expect(shortDate("2026-11-20T12:00:00.000Z")).to.equal("Nov 20, 2026");
    expect(longDate("2026-11-20T12:00:00.000Z")).to.equal("November 20, 2026");
  });

  for (const no of [undefined, "", "yesterday"]) {
    it(`are "Not available" for ${JSON.stringify(no)}`, () => {
      expect([shortDate(no), longDate(no)]).to.deep.equal(["Not available", "Not available"]);
    });
  }

  it("are written as Intl writes them where the browser is", () => {
    const medium = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
    const long = new Intl.DateTimeFormat(undefined, { dateStyle: "long" });
    const dates = fc.date({ min: new Date(0), max: new Date("9999-12-30"), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        const iso = date.toISOString();
        expect([shortDate(iso), longDate(iso)]).to.deep.equal([medium.format(date), long.format(date)]);
      }),
    );
  });

  const evening = Date.parse("2026-12-24T23:30:00.000Z");
  const plain = (text: string): string => text.replace(/\s/g, " ");

  for (const [locale, timeZone, short, long, time] of [
    ["en-US", "UTC", "Dec 24, 2026", "December 24, 2026", "11:30 PM"],
    ["en-GB", "Europe/London", "24 Dec 2026", "24 December 2026", "23:30"],
    ["en-US", "America/New_York", "Dec 24, 2026", "December 24, 2026", "6:30 PM"],
    ["de-AT", "Europe/Vienna", "25 Dec 2026", "25 December 2026", "00:30"],
    ["en-DE", "Europe/Berlin", "25 Dec 2026", "25 December 2026", "00:30"],
    ["sv-SE", "Pacific/Kiritimati", "25 Dec 2026", "25 December 2026", "13:30"],
    ["hi-IN", "Asia/Kolkata", "25 Dec 2026", "25 December 2026", "5:00 am"],
    ["ja-JP", "Asia/Tokyo", "Dec 25, 2026", "December 25, 2026", "08:30"],
    ["fa", "UTC", "24 Dec 2026", "24 December 2026", "23:30"],
  ] as const)
    it(`are English in the order and by the clock of ${locale} in ${timeZone}`, () => {
      const texts = createDateTexts(locale, timeZone);
      expect([texts.short(evening), texts.long(evening), plain(texts.time(evening, "short"))]).to.deep.equal([
        short,
        long,
        time,
      ]);
    });

  it("tell in English everywhere how long ago something was", () => {
    for (const locale of ["en-US", "de-AT", "fr-FR"]) {
      const { ago } = createDateTexts(locale);
      expect([ago(1, "minute"), ago(3, "day")]).to.deep.equal(["1 minute ago", "3 days ago"]);
    }
  });

  for (const [ms, text] of [
    [20_000, "1 minute"],
    [5.5 * minuteMs, "5 minutes"],
    [hourMs, "1 hour"],
    [49 * hourMs, "2 days"],
  ] as const)
    it(`tell that something lasts ${text}`, () => {
      expect(durationText(ms)).to.equal(text);
    });

  it("are the same calendar day for a day without a time in every zone", () => {
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
      expect(createDateTexts("en-GB", zone).day("2026-12-24", "short")).to.equal("24 Dec");
  });
});
