import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pictureFiles } from "./pictures.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/images");
const guide = readdirSync(join(root, "docs/guide")).map((name) => join(root, "docs/guide", name));

/** The most bytes that a reader of the whole guide downloads for its pictures. */
const maximumBytes = 1_500_000;

const shown = [join(root, "README.md"), ...guide].flatMap((page) =>
  Array.from(
    readFileSync(page, "utf8").matchAll(/!\[([^\]]*)\]\((?:\.\.\/|docs\/)images\/([^)]+)\)/g),
    ([, text, file]) => ({ text, file: file ?? "" }),
  ),
);

describe("The pictures of the guide", () => {
  it("are those that the script makes, each shown somewhere, and no others", () => {
    expect(readdirSync(folder).sort()).to.deep.equal([...pictureFiles].sort());
    expect([...new Set(shown.map(({ file }) => file))].sort()).to.deep.equal([...pictureFiles].sort());
  });

  it("say in words what they show", () => {
    expect(shown.filter(({ text = "" }) => text.split(" ").length < 3)).to.deep.equal([]);
  });

  it("are small", () => {
    const bytes = pictureFiles.map((file) => statSync(join(folder, file)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).to.be.at.most(maximumBytes);
  });
});
