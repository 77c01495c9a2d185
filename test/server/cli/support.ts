import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { hungMs } from "../../support/limits.ts";
import { builtCommand } from "../../support/programs.ts";

/** Output and exit code of a run of the command. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the `bauta` command, as it is built, as a process with no other environment variables than these, PATH and
 * NODE_COMPILE_CACHE. */
export const bauta = (
  settings: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Run> =>
  new Promise((resolve) => {
    const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
    execFile(
      process.execPath,
      [builtCommand, ...words],
      { env: { PATH, NODE_COMPILE_CACHE, ...settings }, cwd: tmpdir(), timeout: hungMs },
      (error, out, errors) => resolve({ code: error ? Number(error.code ?? -1) : 0, out, errors }),
    );
  });
