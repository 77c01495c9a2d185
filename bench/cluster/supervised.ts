import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { ended } from "../../test/support/postgresqlServer.ts";

/** A program that is started again when it ends, as systemd does. */
export interface Supervised {
  readonly start: () => void;
  /** Ends its process group at once; it starts again after its pause, or by `start`. */
  readonly kill: () => void;
  /** Ends it for good: asks first, and insists after 5 s. */
  readonly stop: () => Promise<void>;
}

interface Program {
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Where its output is appended. */
  readonly log: string;
  /** Milliseconds until it starts again; null: not by itself. */
  readonly againAfterMs: number | null;
}

const stopsWithinMs = 5_000;

/** Prepares a program to run in a process group of its own. */
export const supervise = ({ words, environment, folder, log, againAfterMs }: Program): Supervised => {
  let child: ChildProcess | null = null;
  let again: NodeJS.Timeout | undefined;
  let isOver = false;

  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has ended meanwhile.
    }
  };
  const start = (): void => {
    clearTimeout(again);
    if (isOver || (child !== null && child.exitCode === null && child.signalCode === null)) return;
    const output = openSync(log, "a");
    const [program = "", ...rest] = words;
    const started = spawn(program, rest, {
      cwd: folder,
      env: { PATH: `${process.env["PATH"]}:/usr/sbin`, ...environment },
      stdio: ["ignore", output, output],
      detached: true,
    });
    closeSync(output);
    child = started;
    started.on("exit", () => {
      if (child === started && !isOver && againAfterMs !== null) again = setTimeout(start, againAfterMs);
    });
    started.on("error", () => {});
  };
  return {
    start,
    kill: () => signal("SIGKILL"),
    stop: async () => {
      isOver = true;
      clearTimeout(again);
      if (child === null) return;
      signal("SIGTERM");
      const insist = setTimeout(() => signal("SIGKILL"), stopsWithinMs);
      await ended(child);
      clearTimeout(insist);
    },
  };
};
