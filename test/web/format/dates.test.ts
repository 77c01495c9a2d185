import { expect } from "chai";
import fc from "fast-check";
import { longDate, shortDate } from "../../../web/format/dates.ts";

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

  it("are written as Intl writes them in English", () => {
    const medium = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
    const long = new Intl.DateTimeFormat("en", { dateStyle: "long" });
    const dates = fc.date({ min: new Date(0), max: new Date("9999-12-30"), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        const iso = date.toISOString();
        expect([shortDate(iso), longDate(iso)]).to.deep.equal([medium.format(date), long.format(date)]);
      }),
    );
  });
});
