import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { buildPage, plant, type Tree, type Verdict } from "./tree.ts";

/** Creates text that gzip cannot compress below `kilobytes`. */
const weighing = (kilobytes: number): string =>
  `export const weight = "${randomBytes(kilobytes * 1_000).toString("base64")}";\n`;

const page = (own: { readonly main: string; readonly masks?: string }): Readonly<Record<string, string>> => ({
  "web/index.html":
    '<!doctype html><html><head><script src="%THEME%"></script><link rel="stylesheet" href="%STYLES%"><script type="module" src="%MAIN%"></script></head><body>%LOGO%</body></html>\n',
  "web/public/icon.svg": "<svg></svg>\n",
  "web/theme.ts": 'document.documentElement.dataset["theme"] = "dark";\n',
  "web/weight.ts": own.main,
  "web/main.tsx": `import styles from "./main.module.css";
import { weight } from "./weight.ts";
import { shared } from "./shared.ts";
document.body.className = styles["page"] ?? "";
document.title = weight + shared;
${own.masks === undefined ? "" : 'void import("./features/masks/MasksTab.tsx");\n'}`,
  "web/main.module.css": ".page { color: rgb(1, 2, 3); }\n",
  "web/shared.ts": 'export const shared = "shared by both";\n',
  ...(own.masks !== undefined && {
    "web/features/masks/weight.ts": own.masks,
    "web/features/masks/MasksTab.tsx": `import { shared } from "../../shared.ts";
import styles from "./MasksTab.module.css";
import { weight } from "./weight.ts";
export const tab = [styles["card"], shared, weight];
`,
    "web/features/masks/MasksTab.module.css": ".card { color: rgb(4, 5, 6); }\n",
  }),
});

const builtFrom = async (
  files: Readonly<Record<string, string>>,
  look: (verdict: Verdict, tree: Tree) => void,
): Promise<void> => {
  const tree = plant(files);
  try {
    look(await buildPage(tree.path), tree);
  } finally {
    tree.remove();
  }
};

const sizes = new URL("../../scripts/build/sizes.mjs", import.meta.url).href;
const { limits } = (await import(sizes)) as {
  readonly limits: { readonly signIn: number; readonly masksTab: number };
};

/** Kilobytes of incompressible text for each limit; the rest of the page weighs less than 2 kB. */
const signInKb = Math.floor(limits.signIn / 1_000);
const listKb = Math.floor((limits.masksTab - limits.signIn) / 1_000);
const shown = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

describe("The size of the first load", () => {
  it("passes just below the limits of the sign-in screen and of the masks tab", () =>
    builtFrom(
      page({ main: weighing(signInKb - 3), masks: weighing(listKb - 2) }),
      ({ passed, output: messages }) => {
        expect(passed, messages).to.equal(true);
        expect(messages)
          .to.include(`of ${shown(limits.signIn)}`)
          .and.include(`of ${shown(limits.masksTab)}`);
        expect(messages.trimEnd().split("\n"), "one line").to.have.lengthOf(1);
      },
    ));

  it("is refused over the limit of the sign-in screen", () =>
    builtFrom(
      page({ main: weighing(signInKb + 3), masks: "export const weight = 1;\n" }),
      ({ passed, output: messages }) => {
        expect(passed).to.equal(false);
        expect(messages).to.match(
          new RegExp(`signIn: first load is \\d+ bytes gzip, at most ${limits.signIn} allowed`),
        );
        expect(messages).not.to.include("masksTab: ");
      },
    ));

  it("is refused over the limit of the masks tab", () =>
    builtFrom(
      page({ main: weighing(signInKb - 3), masks: weighing(listKb + 6) }),
      ({ passed, output: messages }) => {
        expect(passed).to.equal(false);
        expect(messages).to.match(
          new RegExp(`masksTab: first load is \\d+ bytes gzip, at most ${limits.masksTab} allowed`),
        );
        expect(messages).not.to.include("signIn: ");
      },
    ));

  it("is refused where the masks tab cannot be found, since its size is unknown then", () =>
    builtFrom(page({ main: weighing(1) }), ({ passed, output: messages }) => {
      expect(passed).to.equal(false);
      expect(messages).to.include("web/features/masks/MasksTab.tsx is not in the bundle");
    }));
});

describe("The built page", () => {
  it("references existing files with compressed copies, and has late styles in its only stylesheet", () =>
    builtFrom(page({ main: weighing(1), masks: weighing(1) }), (_, tree) => {
      const folder = join(tree.path, "dist", "web");
      const html = readFileSync(join(folder, "index.html"), "utf8");
      const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((found) => found[1] ?? "");
      expect(named.map((name) => name.replace(/-[A-Z0-9]{8}\./, ".")))
        .to.include.members(["/assets/styles.css", "/assets/chunk.js"])
        .and.to.have.lengthOf(2);
      expect(html).to.match(/<script>[^<]*dataset\.theme[^<]*<\/script>/);
      for (const name of named)
        for (const ending of ["", ".gz", ".br"])
          expect(existsSync(join(folder, name + ending)), name + ending).to.equal(true);
      const styles = readFileSync(join(folder, named.find((name) => name.endsWith(".css")) ?? ""), "utf8");
      expect(styles).to.include("#010203").and.to.include("#040506");
    }));
});
