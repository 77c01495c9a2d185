import { expect } from "chai";
import { compileCore, plant, type Tree, type Verdict } from "./tree.ts";

describe("Core code that uses browser or Node globals does not compile", () => {
  let tree: Tree;
  let verdict: Verdict;

  before(async () => {
    tree = plant({
      "core/masks/page.ts": "export const width = () => window.innerWidth;\n",
      "core/masks/title.ts": "export const title = () => document.title;\n",
      "core/masks/ask.ts": 'export const ask = () => fetch("/masks");\n',
      "core/masks/keep.ts": 'export const keep = () => localStorage.getItem("token");\n',
      "core/masks/platform.ts": "export const platform = () => process.platform;\n",
      "core/masks/wait.ts": "export const wait = (done: () => void) => setTimeout(done, 5);\n",
      "core/masks/say.ts": 'export const say = () => console.log("mail");\n',
      "core/masks/sound.ts": "export const sound = (now: number) => new Date(now).toISOString();\n",
    });
    verdict = await compileCore(tree.path);
  });

  after(() => tree.remove());

  for (const [file, name] of [
    ["page", "window"],
    ["title", "document"],
    ["ask", "fetch"],
    ["keep", "localStorage"],
    ["platform", "process"],
    ["wait", "setTimeout"],
    ["say", "console"],
  ] as const)
    it(name, () => {
      expect(verdict.output).to.match(new RegExp(`core/masks/${file}\\.ts.*Cannot find name '${name}'`));
      expect(verdict.passed).to.equal(false);
    });

  it("but may use the language's own globals", () => {
    expect(verdict.output).not.to.include("core/masks/sound.ts");
  });
});
