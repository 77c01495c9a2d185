import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** Output and exit code of a run of the command. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the `bauta` command as a process with no other environment variables than these and PATH. */
export const bauta = (
  settings: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Run> =>
  new Promise((resolve) => {
    const { PATH = "" } = process.env;
    execFile(
      join(root, "server/cli/bauta"),
      words,
      { env: { PATH, ...settings }, cwd: tmpdir(), timeout: 30_000 },
      (error, out, errors) => resolve({ code: error ? Number(error.code ?? -1) : 0, out, errors }),
    );
  });
