import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");

const mark = /\bD[1-9]\d?\b/g;

const numberOf = (name: string): number => Number(name.slice(1));

const records = join(root, "docs", "decisions");

/** Returns the numbers of the decisions that have a record: a heading "### D33: …" on a page in docs/decisions. */
const recorded = (): ReadonlySet<number> =>
  new Set(
    readdirSync(records).flatMap((page) =>
      Array.from(readFileSync(join(records, page), "utf8").matchAll(/^### (D\d+): ./gm), ([, name = ""]) =>
        numberOf(name),
      ),
    ),
  );

const written = /\.(?:tsx?|mjs|css|md)$/;

/** Returns each mark in the comments and texts of these folders with the file that cites it. */
const cited = (
  folders: readonly string[],
  pattern: RegExp,
): readonly (readonly [mark: string, file: string])[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => written.test(name) && !/node_modules|dist/.test(name))
      .flatMap((name) =>
        Array.from(
          readFileSync(join(root, folder, name), "utf8").matchAll(pattern),
          ([found]) => [found, join(folder, name)] as const,
        ),
      ),
  );

describe("A decision cited in the code", () => {
  const citations = cited(["core", "adapters", "web", "server", "docs", "test", "bench"], mark);

  it("has a record in docs/decisions", () => {
    const known = recorded();
    const missing = citations.filter(([found]) => !known.has(numberOf(found)));
    expect(missing).to.deep.equal([]);
    expect(citations.length).to.be.greaterThan(100);
  });

  it("has a context, a decision and a consequence", () => {
    const pages = readdirSync(records).map((page) => readFileSync(join(records, page), "utf8"));
    const sections = pages.flatMap((page) => page.split(/^### /m).slice(1));
    const incomplete = sections.filter(
      (section) =>
        !["Context", "Decision", "Consequence"].every((part) => section.includes(`- **${part}**: `)),
    );
    expect(incomplete).to.deep.equal([]);
  });
});

const requirement = /\b(?:SI|SE|RQ|RT|SH|MA|RU|SY|NO|AC|KE|SG|IN|VA|OB)[1-9]\d?\b/g;

/** Returns the requirements in docs/specification.md: single ones, lists ("SE2, SE9") and ranges ("SI2–SI4"). */
const explainedRequirements = (): ReadonlySet<string> => {
  const page = readFileSync(join(root, "docs", "specification.md"), "utf8");
  const marks = Array.from(page.matchAll(/^- \*\*([A-Z0-9, –]+)\*\*/gm), ([, names = ""]) => names);
  return new Set(
    marks.flatMap((names) =>
      names.split(", ").flatMap((part) => {
        const [from = "", to = from] = part.split("–");
        const [first, last] = [from, to].map((name) => Number(name.slice(2))) as [number, number];
        return Array.from({ length: last - first + 1 }, (_, n) => `${from.slice(0, 2)}${first + n}`);
      }),
    ),
  );
};

/** A chapter of a text outside the repository, or a number of a list of tasks, in parentheses: "(A9)", "(issue 9)". */
const outside = /\((?:[A-Z]{2}\d+, )*(?:[AB][1-9]\d?|issue #?\d+)(?:, (?:[AB]?\d+|[A-Z]{2}\d+))*\)/g;

describe("A mark in the code", () => {
  it("cites no text outside the repository", () => {
    const folders = ["core", "adapters", "web", "server", "docs", "test", "bench"];
    const found = cited(folders, outside).filter(([, file]) => !file.endsWith("marks.test.ts"));
    expect(found).to.deep.equal([]);
  });
});

describe("A requirement cited in the code", () => {
  it("is explained in docs/specification.md", () => {
    const explained = explainedRequirements();
    const citations = cited(["core", "adapters", "web", "server", "docs", "test", "bench"], requirement);
    expect(citations.filter(([found]) => !explained.has(found))).to.deep.equal([]);
    expect(citations.length).to.be.greaterThan(300);
  });
});
