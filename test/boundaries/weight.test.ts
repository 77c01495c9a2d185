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
    '<!doctype html><html><head><script src="%THEME%"></script><link rel="stylesheet" href="%STYLES%"><script type="module" src="%MAIN%"></script></head><body></body></html>\n',
  "web/theme.ts": 'document.documentElement.dataset["theme"] = "dark";\n',
  "web/weight.ts": own.main,
  "web/main.tsx": `import styles from "./main.module.css";
import { weight } from "./weight.ts";
import { shared } from "./shared.ts";
document.body.className = styles["page"] ?? "";
document.title = weight + shared;
${own.masks === undefined ? "" : 'void import("./shell.tsx").then(({ open }) => open());\n'}`,
  "web/main.module.css": ".page { color: rgb(1, 2, 3); }\n",
  "web/shared.ts": 'export const shared = "shared by both";\n',
  ...(own.masks !== undefined && {
    "web/shell.tsx": 'export const open = () => import("./masks/MasksTab.tsx");\n',
    "web/masks/weight.ts": own.masks,
    "web/masks/MasksTab.tsx": `import { shared } from "../shared.ts";
import styles from "./MasksTab.module.css";
import { weight } from "./weight.ts";
export const tab = [styles["card"], shared, weight];
`,
    "web/masks/MasksTab.module.css": ".card { color: rgb(4, 5, 6); }\n",
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

describe("The size of the first load", () => {
  it("passes at 120 kB for the sign-in screen and 165 kB with the masks tab", () =>
    builtFrom(page({ main: weighing(120), masks: weighing(45) }), ({ passed, output: messages }) => {
      expect(passed, messages).to.equal(true);
      expect(messages).to.match(/first load, sign-in\s+12\d\.\d kB of 130\.0 kB/);
      expect(messages).to.match(/first load, masks tab\s+16\d\.\d kB of 174\.0 kB/);
    }));

  it("is refused over 130 kB for the sign-in screen", () =>
    builtFrom(
      page({ main: weighing(135), masks: "export const weight = 1;\n" }),
      ({ passed, output: messages }) => {
        expect(passed).to.equal(false);
        expect(messages).to.match(/signIn: first load is 13\d{4} bytes gzip, at most 130000 allowed/);
        expect(messages).not.to.include("masksTab: ");
      },
    ));

  it("is refused over 174 kB with the masks tab", () =>
    builtFrom(page({ main: weighing(110), masks: weighing(70) }), ({ passed, output: messages }) => {
      expect(passed).to.equal(false);
      expect(messages).to.match(/masksTab: first load is 18\d{4} bytes gzip, at most 174000 allowed/);
      expect(messages).not.to.include("signIn: ");
    }));

  it("is refused where the masks tab cannot be found, since its size is unknown then", () =>
    builtFrom(page({ main: weighing(1) }), ({ passed, output: messages }) => {
      expect(passed).to.equal(false);
      expect(messages).to.include("web/masks/MasksTab.tsx is not in the bundle");
    }));
});

describe("The built page", () => {
  it("references existing files with compressed copies, and has late styles in its only stylesheet", () =>
    builtFrom(page({ main: weighing(1), masks: weighing(1) }), (_, tree) => {
      const folder = join(tree.path, "dist", "web");
      const html = readFileSync(join(folder, "index.html"), "utf8");
      const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((found) => found[1] ?? "");
      expect(named.map((name) => name.replace(/-[A-Z0-9]{8}\./, ".")))
        .to.include.members(["/assets/theme.js", "/assets/styles.css", "/assets/chunk.js"])
        .and.to.have.lengthOf(3);
      for (const name of named)
        for (const ending of ["", ".gz", ".br"])
          expect(existsSync(join(folder, name + ending)), name + ending).to.equal(true);
      const styles = readFileSync(join(folder, named.find((name) => name.endsWith(".css")) ?? ""), "utf8");
      expect(styles).to.include("#010203").and.to.include("#040506");
    }));
});
