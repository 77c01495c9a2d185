import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const commandsIn = (file: string): readonly string[] =>
  Array.from(read(file).matchAll(/`npm run (?:-s )?([\w:]+)/g), ([, name = ""]) => name);

describe("The commands that the documentation names", () => {
  const { scripts } = JSON.parse(read("package.json"));

  it("are scripts of the package", () => {
    const pages = globSync(["*.md", "core/*.md", "docs/**/*.md"], { cwd: root, exclude: ["CHANGELOG.md"] });
    const unknown = pages.flatMap((page) =>
      commandsIn(page)
        .filter((name) => !(name in scripts))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it("include one for the tests of the core alone, in the README", () => {
    expect(commandsIn("README.md")).to.include("test:core");
  });
});
