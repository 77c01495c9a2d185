import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");
const maxColumns = 130;

/** Everything written by hand; the rows of tables cannot be broken. */
const pages = globSync(["*.md", "core/*.md", "docs/**/*.md", ".github/**/*.md"], { cwd: root });

describe("The lines of the documentation", () => {
  it(`have at most ${maxColumns} columns, except in tables`, () => {
    const long = pages.flatMap((page) =>
      readFileSync(join(root, page), "utf8")
        .split("\n")
        .map((line, index) => ({ line, place: `${page}:${index + 1}` }))
        .filter(({ line }) => line.length > maxColumns && !line.startsWith("|"))
        .map(({ place }) => place),
    );
    expect(long).to.deep.equal([]);
    expect(pages.length).to.be.above(20);
  });
});

describe("The README", () => {
  it("leads to the map of the code within 60 lines", () => {
    const lines = readFileSync(join(root, "README.md"), "utf8").split("\n");
    expect(lines.indexOf("## The map of the code")).to.be.within(1, 59);
  });
});
