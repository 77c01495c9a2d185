import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { compiler } from "../support/compiler.ts";

const root = join(import.meta.dirname, "../..");

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

describe("the compiler", () => {
  it("is the native one, in the version that the package names, wherever types are checked", () => {
    const pinned: string = readJson("package.json").devDependencies["typescript-native"];
    const printed = execFileSync(process.execPath, [compiler, "--version"], { encoding: "utf8" });
    expect(`npm:typescript@${printed.trim().replace("Version ", "")}`).to.equal(pinned);
    for (const script of [
      readJson("package.json").scripts["check:types"],
      readJson("core/package.json").scripts.build,
    ])
      expect(script).to.match(/\bnode (?:\.\.\/)?node_modules\/typescript-native\/bin\/tsc /);
  });
});
