import { expect } from "chai";
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
});
