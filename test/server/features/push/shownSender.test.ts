import { expect } from "chai";
import { maxTitle } from "../../../../server/features/push/pushLimits.ts";
import { shownSender } from "../../../../server/features/push/shownSender.ts";

describe("The sender in the title of a push notification", () => {
  const shown = (from: string, isProven = true): string => shownSender({ from, isProven });

  it("is its address, marked unless it is proven", () => {
    expect(shown("orders@shop.example")).to.equal("orders@shop.example");
    expect(shown("orders@shop.example", false)).to.equal("[unverified] orders@shop.example");
    expect(shown("")).to.equal("");
  });

  it("is its domain alone where the rest names another domain or would push it out of view", () => {
    for (const localPart of [
      '"support@bank.example"',
      `"support@bank.example${" ".repeat(60)}"`,
      "a".repeat(64),
    ])
      expect(shown(`${localPart}@evil-and-longer.example`), localPart).to.equal("evil-and-longer.example");
  });

  it("shows the end of a long domain, with nothing that turns or breaks the line", () => {
    const long = `${"bank.example.".repeat(15)}evil.example`;
    for (const isProven of [true, false]) {
      const title = shown(`me@${long}`, isProven);
      expect(title).to.have.length.at.most(maxTitle);
      expect(title.endsWith("evil.example")).to.equal(true);
    }
    expect(shown("a\u202eb\nc@shop.example")).to.equal("ab c@shop.example");
  });
});
