import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { buildPage, plant } from "../boundaries/tree.ts";

const root = join(import.meta.dirname, "../..");
const noticesIn = (folder: string): string =>
  readFileSync(join(root, "dist", folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
const headsOf = (notices: string): readonly string[] =>
  notices
    .split(/\n={100}\n\n/)
    .slice(1)
    .map((entry) => entry.split("\n", 1).join(""));

/** A page that bundles a package of its own. */
const pageWith = (packageFiles: Readonly<Record<string, string>>) =>
  plant({
    "web/index.html":
      '<!doctype html><html><head><script src="%THEME%"></script><link rel="stylesheet" href="%STYLES%"><script type="module" src="%MAIN%"></script></head><body>%LOGO%</body></html>\n',
    "web/public/icon.svg": "<svg></svg>\n",
    "web/theme.ts": 'document.documentElement.dataset["theme"] = "dark";\n',
    "web/main.css": "body { color: rgb(1, 2, 3); }\n",
    "web/main.tsx": 'import { title } from "bare";\ndocument.title = title;\n',
    "web/node_modules/bare/index.js": 'export const title = document.location.href + "bare";\n',
    "web/node_modules/bare/package.json": JSON.stringify({
      name: "bare",
      version: "1.2.3",
      type: "module",
      license: "ISC",
      main: "index.js",
      repository: "someone/bare",
    }),
    ...packageFiles,
  });

describe("The notices of a build", () => {
  it("name what is in the page and its key worker, with license and text", () => {
    const notices = noticesIn("web");
    const heads = headsOf(notices);
    expect(heads.filter((head) => /^(?:react|openpgp|comlink|fp-ts|rxjs) \d/.test(head))).to.have.lengthOf(5);
    expect(heads.filter((head) => /^(?:fastify|esbuild|mocha|typescript) /.test(head))).to.deep.equal([]);
    expect(
      heads.filter((head) => /^(?:@inversifyjs\/container|reflect-metadata) \d/.test(head)),
    ).to.have.lengthOf(2);
    expect(notices).to.contain("GNU LESSER GENERAL PUBLIC LICENSE").and.contain("GNU GENERAL PUBLIC LICENSE");
    expect(notices).to.match(/source is at https:\/\/github\.com\/openpgpjs\/openpgpjs, version \d/);
  });

  it("name what is in the server, and the Node that is shipped with it", () => {
    const heads = headsOf(noticesIn("server"));
    const names = heads.map((head) => head.replace(/ [^ ]+$/, ""));
    expect(names).to.include.members(["fastify", "openpgp", "pgpass", "abstract-logging", "mailauth"]);
    expect(names.filter((name) => /^node-.*(?:linux|darwin)/.test(name))).to.have.lengthOf(1);
  });

  it("go into the container's image with the server and the page", () => {
    const containerfile = readFileSync(join(root, "deploy/Containerfile"), "utf8");
    expect(containerfile).to.match(/^COPY dist \.\/dist$/m);
    expect(containerfile).to.contain("/copyright");
  });

  it("have the text of a package from its folder", async () => {
    const tree = pageWith({ "web/node_modules/bare/LICENSE": "Do as you like.\n" });
    try {
      await buildPage(tree.path);
      expect(readFileSync(join(tree.path, "dist/web/THIRD-PARTY-NOTICES.txt"), "utf8")).to.contain(
        "bare 1.2.3\nLicense: ISC\nSource: https://github.com/someone/bare\n\nDo as you like.\n",
      );
    } finally {
      tree.remove();
    }
  });

  it("let a build fail whose package has no text, and say where to put it", async () => {
    const tree = pageWith({});
    try {
      const { passed, output } = await buildPage(tree.path);
      expect([passed, output]).to.deep.equal([
        false,
        "build: bare is in the bundle but has no license text (it says ISC). " +
          "Put the text that its source has into scripts/build/licenses/bare.txt.\n",
      ]);
    } finally {
      tree.remove();
    }
  });
});
