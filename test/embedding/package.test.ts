import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { expect } from "chai";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { useServer } from "../e2e/support/product.ts";
import { codeMailedTo } from "../e2e/support/server.ts";
import { longTestMs } from "../support/limits.ts";
import {
  codePrompt,
  exampleInReadme,
  nounsInReadme,
  nounsProgram,
  runExample,
  signUpWithMask,
} from "./support/example.ts";

const root = join(import.meta.dirname, "../..");
const installed = join(root, "node_modules");

const runFile = promisify(execFile);

/** The environment without the settings that an outer `npm test` passes on. */
const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
);

const npm = async (cwd: string, ...args: readonly string[]): Promise<string> => {
  const { stdout } = await runFile("npm", [...args], { cwd, env: ownEnvironment });
  return stdout;
};

/** Packs a workspace into `folder` and returns the path of the tarball. */
const pack = async (workspace: string, folder: string): Promise<string> => {
  const packed = await npm(join(root, workspace), "pack", "--silent", "--pack-destination", folder);
  return join(folder, packed.trim().split("\n").at(-1) ?? "");
};

/** What publint, and npm's registry with it, would object to in a tarball. */
const objectionsTo = async (workspace: string, tarball: string): Promise<readonly string[]> => {
  const packed = new Uint8Array(await readFile(tarball)).buffer;
  const { messages } = await publint({ pack: { tarball: packed }, strict: true });
  const manifest = JSON.parse(await readFile(join(root, workspace, "package.json"), "utf8"));
  return messages.map((message) => formatMessage(message, manifest) ?? message.code);
};

/** The entries whose types a program with ES modules reads wrongly; others are not supported. */
const wrongTypesIn = async (tarball: string): Promise<readonly string[]> => {
  const packed = createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
  const analysis = await checkPackage(packed);
  if (analysis.types === false) return ["no types"];
  return analysis.problems
    .filter((problem) => !("resolutionKind" in problem && /^node10$|-cjs$/.test(problem.resolutionKind)))
    .map((problem) => JSON.stringify(problem));
};

/** The packages that the tarball names, and tslib, which rxjs needs: all from this repository's node_modules. */
const dependencies = ["fp-ts", "io-ts", "rxjs", "tslib"].map((name) => join(installed, name));

const tsconfig = {
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    lib: ["ES2023"],
    types: ["node"],
    typeRoots: [join(installed, "@types")],
    strict: true,
    noEmit: true,
  },
  files: ["terminal.ts", "features.ts", "nouns.ts"],
};

/** A program that uses a feature, a port and the kernel by their own entries. */
const features = `import { createInsights } from "@bauta/core/insights";
import type { Failure } from "@bauta/core/kernel/failure";
import type { Http } from "@bauta/core/ports/http";
export const http: Http = () => async () => ({ _tag: "Left", left: { kind: "timeout" } as Failure });
console.log(typeof createInsights);
`;

/** The folders of core that every noun stands on, and that are no nouns. */
const floor = ["api", "kernel", "ports", "storage"];
/** Parts of a noun with an entry of their own: core/rules/sync. */
const parts = ["sync"];

describe("The entries of the package", () => {
  it("are all nouns of core, and the README lists each", async () => {
    const { exports } = JSON.parse(await readFile(join(root, "core/package.json"), "utf8"));
    const folders = (await readdir(join(root, "core"), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && !/^(dist|node_modules)$/.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => !floor.includes(name));
    const entries = [...folders, ...parts];
    expect(Object.keys(exports)).to.include.members(entries.map((name) => `./${name}`));
    expect((await nounsInReadme()).map(({ entry }) => entry)).to.have.members(entries);
  });
});

/** The answers of this server to what its operator has not allowed. */
const refusals = new Map([
  ["breaches", "The operator of this server has named no source of leaked addresses."],
  ["operator", "This page is for those who run the server. OPERATORS names their accounts."],
]);

describe("The packed core in an empty project", function () {
  this.timeout(longTestMs);
  const server = useServer();
  let project: string;
  let tarball: string;

  before(async () => {
    project = await mkdtemp(join(tmpdir(), "bauta-embedding-"));
    await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    tarball = await pack("core", project);
    await npm(
      project,
      ...["install", "--offline", "--install-links", "--ignore-scripts", "--no-audit", "--no-fund"],
      ...[tarball, ...dependencies],
    );
    await writeFile(join(project, "terminal.ts"), await exampleInReadme());
    await writeFile(join(project, "features.ts"), features);
    await writeFile(join(project, "nouns.ts"), await nounsProgram());
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  });

  after(() => rm(project, { recursive: true, force: true }));

  it("is a package that npm's registry takes, whose types fit its code", async () => {
    expect(await objectionsTo("core", tarball)).to.deep.equal([]);
    expect(await wrongTypesIn(tarball)).to.deep.equal([]);
    expect(await objectionsTo("cli", await pack("cli", project))).to.deep.equal([]);
  });

  it("contains JavaScript and types, and no source", async () => {
    const { dependencies: named } = JSON.parse(await readFile(join(root, "core/package.json"), "utf8"));
    expect(Object.keys(named)).to.deep.equal(["fp-ts", "io-ts", "rxjs"]);
    const files = (await runFile("find", [join(project, "node_modules/@bauta/core"), "-type", "f"])).stdout;
    expect(files)
      .to.match(/createApp\.js\n/)
      .and.match(/createApp\.d\.ts\n/);
    expect(files).to.not.match(/(?<!\.d)\.tsx?\n/);
  });

  it("runs the README's example against a running server", async () => {
    const email = "embedder@example.org";
    const { address, code } = await signUpWithMask(server, email);
    const ran = await runExample(join(project, "terminal.ts"), server, email, () =>
      codeMailedTo(server, email, new Set([code])),
    );
    expect(ran).to.deep.equal({ printed: `${codePrompt}${address}\n`, errors: "", exitCode: 0 });
  });

  it("exports the entry of a feature by its name", async () => {
    const { stdout } = await runFile(process.execPath, [join(project, "features.ts")]);
    expect(stdout).to.equal("function\n");
  });

  it("exports each noun by its name, with an example in the README that runs", async () => {
    const email = "nouns@example.org";
    const { code } = await signUpWithMask(server, email);
    const ran = await runExample(join(project, "nouns.ts"), server, email, () =>
      codeMailedTo(server, email, new Set([code])),
    );
    const nouns = await nounsInReadme();
    expect(ran.errors).to.equal("");
    expect(ran.printed.replace(codePrompt, "").trimEnd().split("\n")).to.deep.equal(
      nouns.map(({ entry }) => `${entry}: ${refusals.get(entry) ?? "ran"}`),
    );
  });

  it("has types with which the programs compile strictly, without browser types", async () => {
    const { stdout } = await runFile(join(installed, ".bin/tsc"), ["-p", project]).catch((error) => error);
    expect(stdout).to.equal("");
  });
});
