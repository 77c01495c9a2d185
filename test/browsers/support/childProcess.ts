import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** The time in which a browser or its driver has to be ready, in milliseconds. */
const startLimitMs = 30_000;

/** Waits for the first text that a program prints to match, and returns the match; fails when the program ends. */
const printedBy = (child: ChildProcess, stream: Readable | null, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    let printed = "";
    const fail = (why: string): void => reject(new Error(`${child.spawnfile} ${why}:\n${printed}`));
    const timer = setTimeout(() => fail("is not ready"), startLimitMs);
    child.once("error", reject).once("exit", () => fail("ended at its start"));
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const found = pattern.exec(printed);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found);
    });
  });

/** A program that runs until it is stopped. */
export interface RunningProgram {
  /** The first group of `ready` in what it has printed. */
  readonly said: string;
  readonly stop: () => Promise<void>;
}

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly readsFrom: "stdout" | "stderr";
  /** What it prints when it is ready; a program that says nothing is ready at once. */
  readonly ready?: RegExp;
}

/** The process groups that are running; they end with this process at the latest. */
const groups = new Set<number>();
const end = (group: number): void => {
  groups.delete(group);
  try {
    process.kill(-group, "SIGKILL");
  } catch {}
};
process.once("exit", () => {
  for (const group of groups) end(group);
});
process.once("SIGTERM", () => process.exit(143));

/** Starts a program with its own process group and waits until it says that it is ready. */
export const startProgram = async (
  command: string,
  args: readonly string[],
  { env = {}, readsFrom, ready }: ProgramOptions,
): Promise<RunningProgram> => {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "exit");
  const group = child.pid;
  if (group !== undefined) groups.add(group);
  const stop = async (): Promise<void> => {
    if (group === undefined) return;
    end(group);
    if (child.exitCode === null && child.signalCode === null) await ended;
  };
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  try {
    const found = ready === undefined ? undefined : await printedBy(child, child[readsFrom], ready);
    return { said: found?.[1] ?? "", stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
};
