import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const commandsIn = (file: string): readonly string[] =>
  Array.from(read(file).matchAll(/`npm run (?:-s )?([\w:]+)/g), ([, name = ""]) => name);

describe("The commands that the documentation names", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const pages = globSync(["*.md", "{core,cli}/*.md", "docs/**/*.md"], {
    cwd: root,
    exclude: ["CHANGELOG.md"],
  });

  it("are scripts of the package", () => {
    const unknown = pages.flatMap((page) =>
      commandsIn(page)
        .filter((name) => !(name in scripts))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it("ask no registry for a package of this repository, and Git for no tag: it is in neither", () => {
    const found = pages.flatMap((page) =>
      read(page)
        .split("\n")
        .filter((line) => /npx |npm (?:i|install|add|exec) [^`]*@bauta\/|git clone --branch/.test(line))
        .map((line) => `${page}: ${line}`),
    );
    expect(found).to.deep.equal([]);
  });

  it("include one for the tests of the core alone, in the README", () => {
    expect(commandsIn("README.md")).to.include("test:core");
  });
});
