import { expect } from "chai";
import { rankOf } from "../../../../web/app/commands/rankOf.ts";

const rank = (wanted: string) =>
  rankOf({ label: "Log out", keywords: "sign out, exit, leave the page" }, wanted);

describe("How well a command fits what is typed", () => {
  it("is said by its label, then its keywords, then the beginnings of their words", () => {
    const ranks = ["log out", "exit", "log", "out", "leav", "page leave", "og"].map(rank);
    expect(ranks).to.deep.equal([...ranks].sort((one, other) => other - one));
    expect(new Set(ranks).size).to.equal(ranks.length);
    expect(rank("zebra")).to.equal(0);
  });

  it("counts other forms of a word, and no keyword for a single letter", () => {
    expect(rank("exits"), "exits").to.equal(rank("exit"));
    expect(rank("e")).to.equal(0);
  });
});
