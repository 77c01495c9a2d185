import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");

const mark = /\bD[1-9]\d?\b/g;

/** The number in a mark. */
const numberOf = (name: string): number => Number(name.slice(1));

/** The marks that have a line: single ones, lists ("D3, D4") and ranges ("D30–D32"). */
const explained = (): ReadonlySet<number> => {
  const cells = readFileSync(join(root, "docs", "decisions", "README.md"), "utf8")
    .split("\n")
    .map((line) => /^\| ([^|]*) \|/.exec(line)?.[1] ?? "");
  const numbers = cells
    .flatMap((cell) => cell.split(", "))
    .flatMap((part) => {
      const [from, to = from] = Array.from(part.matchAll(mark), ([name]) => numberOf(name));
      if (from === undefined || to === undefined) return [];
      return Array.from({ length: to - from + 1 }, (_, n) => from + n);
    });
  return new Set(numbers);
};

const written = /\.(?:tsx?|mjs|css|md)$/;

/** Each mark in the comments and texts of these folders, with the file that cites it. */
const cited = (folders: readonly string[]): readonly (readonly [mark: string, file: string])[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => written.test(name) && !name.includes("node_modules"))
      .flatMap((name) =>
        Array.from(
          readFileSync(join(root, folder, name), "utf8").matchAll(mark),
          ([found]) => [found, join(folder, name)] as const,
        ),
      ),
  );

describe("A decision that is cited", () => {
  const citations = cited(["core", "adapters", "web", "server", "docs", "test", "bench"]);

  it("has a line in docs/decisions that says what was chosen, and why", () => {
    const known = explained();
    const missing = citations.filter(([found]) => !known.has(numberOf(found)));
    expect(missing).to.deep.equal([]);
    expect(citations.length).to.be.greaterThan(100);
  });
});
