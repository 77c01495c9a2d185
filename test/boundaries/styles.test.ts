import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");

type Texts = Readonly<Record<string, string>>;

/** Returns the classes that a stylesheet has rules for. */
const classesIn = (css: string): ReadonlySet<string> => {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/:global\([^)]*\)/g, "");
  const selectors = [...plain.matchAll(/(?:^|[{};])([^{};]*)(?=\{)/g)]
    .map(([, selector = ""]) => selector.trim())
    .filter((selector) => !selector.startsWith("@"));
  return new Set(
    selectors.flatMap((all) => [...all.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name)),
  );
};

interface Use {
  readonly file: string;
  readonly sheet: string;
  /** Class names that appear literally. */
  readonly names: readonly string[];
  /** Whether a computed expression can yield this name. */
  readonly computes: (name: string) => boolean;
}

/** `styles[kind]` may be any name that is quoted somewhere, `styles[`a${b}`]` any name of this pattern. */
const computed = (expression: string, quoted: ReadonlySet<string>): ((name: string) => boolean) => {
  if (!expression.startsWith("`")) return (name) => quoted.has(name);
  const pattern = new RegExp(`^${expression.slice(1, -1).replace(/\$\{[^}]*\}/g, ".+")}$`);
  return (name) => pattern.test(name);
};

const usesIn = (file: string, code: string, quoted: ReadonlySet<string>): readonly Use[] =>
  [...code.matchAll(/^import (\w+) from "([^"]+\.module\.css)";$/gm)].map(([, alias = "", path = ""]) => {
    const names = [...code.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, "g"))].map(([, name = ""]) => name);
    const tests = [...code.matchAll(new RegExp(`\\b${alias}\\[([^\\]]+)\\]`, "g"))].map(
      ([, expression = ""]) => computed(expression, quoted),
    );
    return {
      file,
      sheet: normalize(join(dirname(file), path)),
      names,
      computes: (name) => tests.some((test) => test(name)),
    };
  });

/** Returns the mismatches between stylesheets and the code that uses their classes. */
const complaints = (sheets: Texts, code: Texts): readonly string[] => {
  const quoted = new Set(
    Object.values(code).flatMap((text) =>
      [...text.matchAll(/"([\w-]+)"|(\w+):/g)].map(([, a, b]) => a ?? b ?? ""),
    ),
  );
  const uses = Object.entries(code).flatMap(([file, text]) => usesIn(file, text, quoted));
  return Object.entries(sheets).flatMap(([sheet, css]) => {
    const has = classesIn(css);
    const users = uses.filter((use) => use.sheet === sheet);
    const isUsed = (name: string): boolean =>
      users.some(({ names, computes }) => names.includes(name) || computes(name));
    return [
      ...users.flatMap(({ file, names }) =>
        [...new Set(names)]
          .filter((name) => !has.has(name))
          .map((name) => `${file} uses ${name}, not in ${sheet}`),
      ),
      ...[...has].filter((name) => !isUsed(name)).map((name) => `${sheet} has ${name}, which nothing uses`),
    ];
  });
};

const read = (pattern: string): Texts =>
  Object.fromEntries(
    globSync(pattern, { cwd: root, exclude: ["**/node_modules/**"] }).map((path) => [
      path,
      readFileSync(join(root, path), "utf8"),
    ]),
  );

describe("The classes of stylesheets", () => {
  it("are distinguished from other dots", () => {
    const css = `/* .no */ .a > .b:hover, .c { margin: 0.5rem; } @media (width < 76.8px) { .d { color: red; } }
      .e :global(.f) { background: url(x.svg); }`;
    expect([...classesIn(css)]).to.deep.equal(["a", "b", "c", "d", "e"]);
  });

  it("are reported where one is used but not defined, or defined but not used", () => {
    const use = (code: string): Texts => ({
      "web/a/A.tsx": `import styles from "../b/B.module.css";\n${code}\n`,
    });
    const sheet = { "web/b/B.module.css": ".one {} .two {} .step3 {}" };
    expect(complaints(sheet, use("styles.one; styles.two; styles.step3;"))).to.deep.equal([]);
    expect(
      complaints(sheet, use('const of = "two"; styles.one; styles[of]; styles[`step$' + "{count}`];")),
    ).to.deep.equal([]);
    expect(complaints(sheet, use("styles.one; styles.way; styles.step3;"))).to.deep.equal([
      "web/a/A.tsx uses way, not in web/b/B.module.css",
      "web/b/B.module.css has two, which nothing uses",
    ]);
  });

  it("of the app are all used, and all used ones are defined", () => {
    const sheets = read("web/**/*.module.css");
    expect(Object.keys(sheets).length).to.be.greaterThan(50);
    expect(complaints(sheets, { ...read("web/**/*.{ts,tsx}"), ...read("core/**/*.ts") })).to.deep.equal([]);
  });
});
