import { expect } from "chai";
import { createReplaceNames } from "../../../../../server/features/replies/rewrite/schedulingNames.ts";

const replaceIn = (text: string, names: readonly string[], others: readonly string[] = []): string =>
  createReplaceNames(
    names,
    others.map((name) => ({ name, address: "" })),
    "shop",
  )(text);

describe("The names of an owner in the mail of a calendar program", () => {
  it("are replaced in any order, in capitals, alone, and when they are short", () => {
    for (const [text, name] of [
      ["Accepted: Tea (Alice Wonder)", "Alice Wonder"],
      ["Accepted: Tea (Wonder, Alice)", "Alice Wonder"],
      ["Accepted: Tea (ALICE M. WONDER)", "Alice M. Wonder"],
      ["Accepted: Tea (Alice)", "Alice Wonder"],
      ["Accepted: Tea (Bo)", "Bo"],
      ["Accepted: Tea (Élodie Çelik)", "Élodie Çelik"],
      ["Accepted: Tea (李小龍)", "李小龍"],
    ] as const)
      expect(replaceIn(text, [name]), text).to.match(/^Accepted: Tea \(shop(?:\.? ?(?:M\. )?shop)?\)$/);
  });

  it("stay where they are other words, dates, addresses, or the names of correspondents", () => {
    for (const text of [
      "I wonder and will mark it",
      "Tue May 5, 2026",
      "wonder@shop.example, Wonder@shop.example",
      "https://shop.example/Wonder",
      "Wonderful",
    ])
      expect(replaceIn(text, ["May Wonder"]), text).to.equal(text);
    expect(replaceIn("Bob Wonder and Alice Wonder", ["Alice Wonder"], ["Bob Wonder"])).to.equal(
      "Bob Wonder and shop Wonder",
    );
    expect(replaceIn("Tea", [])).to.equal("Tea");
  });
});
