import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compiler } from "../support/compiler.ts";

const root = join(import.meta.dirname, "..", "..");

const configuration = [
  "package.json",
  "tsconfig.json",
  "core/tsconfig.json",
  "biome.json",
  "lint",
  ".dependency-cruiser.mjs",
];

/** A temporary source tree with the project's own configuration, for files that the boundary checks must refuse. */
export interface Tree {
  readonly path: string;
  readonly remove: () => void;
}

/** Writes `files` (path → text) into a new folder with the project's configuration. */
export const plant = (files: Readonly<Record<string, string>>): Tree => {
  const path = mkdtempSync(join(tmpdir(), "bauta-walls-"));
  for (const name of configuration) cpSync(join(root, name), join(path, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

export interface Verdict {
  readonly passed: boolean;
  /** The tool's whole output, without colors. */
  readonly output: string;
}

const run = (cwd: string, command: string, args: readonly string[]): Promise<Verdict> =>
  new Promise((resolve, reject) => {
    const tool = spawn(command, args, { cwd, env: { ...process.env, NO_COLOR: "1" } });
    const output: string[] = [];
    tool.stdout.on("data", (text) => output.push(String(text)));
    tool.stderr.on("data", (text) => output.push(String(text)));
    tool.once("error", reject);
    tool.once("close", (code) => resolve({ passed: code === 0, output: output.join("") }));
  });

/** Runs the project's import checks on such a tree; `npm run check` runs them on the project. */
export const checkImports = (path: string): Promise<Verdict> =>
  run(root, process.execPath, ["scripts/checkBoundaries.mjs", path]);

/** Runs the project's check of promises on such a tree. */
export const checkPromises = (path: string): Promise<Verdict> =>
  run(root, process.execPath, ["scripts/checkPromises.mjs", path]);

/** Runs the project's lint on a folder of such a tree. */
export const lint = (path: string, folder: "core" | "test"): Promise<Verdict> =>
  run(path, join(root, "node_modules/.bin/biome"), ["lint", "--max-diagnostics=none", folder]);

export const compileCore = (path: string): Promise<Verdict> =>
  run(path, process.execPath, [
    compiler,
    "-p",
    "core",
    "--noEmit",
    "--composite",
    "false",
    "--emitDeclarationOnly",
    "false",
  ]);

export const buildPage = (path: string): Promise<Verdict> =>
  run(root, process.execPath, ["build.mjs", "--check", path]);
