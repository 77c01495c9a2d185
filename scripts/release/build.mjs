// What a release is made of, built.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildChanges } from "../build/inputs.mjs";

export const root = join(import.meta.dirname, "../..");

/** Runs a program to its end and returns its output; throws with what it says when it fails. */
export const run = (command, args, options = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    maxBuffer: 1024 ** 3,
    ...options,
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** Builds server and page, where they have changed, and the command line; throws when that fails. */
export const buildAll = async () => {
  if ((await buildChanges(root)) !== 0) throw new Error("The build failed.");
  run(process.execPath, ["scripts/build/commandLine.mjs"]);
};
