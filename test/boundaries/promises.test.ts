import { expect } from "chai";
import { checkPromises, plant, type Tree, type Verdict } from "./tree.ts";

const head = `import { rm } from "node:fs/promises";
import type { Kysely } from "kysely";
interface Tables {
  readonly masks: { readonly id: string };
}
type Db = Kysely<Tables>;
`;

const forgets = {
  "server/statement.ts":
    'export const forget = async (db: Db): Promise<void> => {\n  db.deleteFrom("masks").execute();\n};\n',
  "server/parameter.ts":
    "export const keep = async (db: Db, keepIt: (db: Db) => Promise<void>): Promise<void> => {\n  keepIt(db);\n};\n",
  "server/optional.ts":
    "export const keep = async (db: Db, keepIt?: (db: Db) => Promise<void>): Promise<void> => {\n  keepIt?.(db);\n};\n",
  "server/library.ts":
    "export const remove = async (path: string, _: Db): Promise<void> => {\n  if (path) rm(path);\n};\n",
  "server/later.ts":
    "export const remove = (path: string, _: Db): void => {\n  rm(path).finally(() => {});\n};\n",
};

const waits = `export const wait = async (db: Db, path: string): Promise<void> => {
  let writing: Promise<unknown> | null = null;
  await db.deleteFrom("masks").execute();
  writing ??= db.deleteFrom("masks").execute();
  rm(path).catch(() => {});
  rm(path).then(() => {}, () => {});
  void rm(path);
  await writing;
};
`;

const config = JSON.stringify({
  extends: "../tsconfig.json",
  include: ["**/*.ts"],
  compilerOptions: { lib: ["ES2024"], types: ["node"] },
});

describe("A statement whose promise nothing waits for is refused", () => {
  let tree: Tree;
  let verdict: Verdict;

  before(async () => {
    const files = Object.entries({ ...forgets, "server/waits.ts": waits });
    const sources = Object.fromEntries(files.map(([name, text]) => [name, `${head}${text}`]));
    tree = plant({ ...sources, "server/tsconfig.json": config });
    verdict = await checkPromises(tree.path);
  });

  after(() => tree.remove());

  const refuses = (what: string, file: keyof typeof forgets): void => {
    it(what, () => {
      expect(verdict.output).to.include(`${file}:`);
      expect(verdict.passed).to.equal(false);
    });
  };

  refuses("a statement of the database", "server/statement.ts");
  refuses("a call of what was given", "server/parameter.ts");
  refuses("a call of what may be missing", "server/optional.ts");
  refuses("a call of a library behind a condition", "server/library.ts");
  refuses("a call whose end is watched and whose failure is not", "server/later.ts");

  it("unless it is awaited, kept, handled, or meant to run beside", () => {
    expect(verdict.output).not.to.include("server/waits.ts");
  });
});
