import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");

const pages = globSync(["*.md", "core/*.md", "docs/**/*.md", ".github/**/*.md"], { cwd: root });

const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

/** The paths in code spans that name one file or folder of the repository, without patterns and placeholders. */
const namedPaths = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/`((?:core|adapters|web|server|test|bench|docs|scripts|\.ci|\.github|\.vscode)\/[^`]*)`/g),
    ([, path = ""]) => path,
  ).filter((path) => !/[<>*… ]/.test(path));

/** The targets of links inside the repository, without their anchors. */
const linkTargets = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target.split("#")[0] ?? "").filter(
    (target) => target !== "" && !/^[a-z]+:/.test(target),
  );

describe("The documentation", () => {
  it("names files and folders that exist", () => {
    const missing = pages.flatMap((page) =>
      namedPaths(textOf(page))
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).to.deep.equal([]);
    expect(pages.flatMap((page) => namedPaths(textOf(page))).length).to.be.greaterThan(50);
  });

  it("names tests of the server that exist, where it says what shows a promise", () => {
    const names = ["docs/security.md", "docs/security/asvs.md"].flatMap((page) =>
      Array.from(textOf(page).matchAll(/`([^`\s]+\.test\.ts)`/g), ([, name = ""]) => name),
    );
    expect(names.filter((name) => !existsSync(join(root, "test/server", name)))).to.deep.equal([]);
    expect(names.length).to.be.greaterThan(100);
  });

  it("links to pages that exist", () => {
    const broken = pages.flatMap((page) =>
      linkTargets(textOf(page))
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });
});
