import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const entry = join(import.meta.dirname, "notifierProcess.ts");

/** A separate process that stores notifications in a SQLite file. */
export interface Notifier {
  /** Resolves with the id of the notification once it is committed. */
  readonly notify: (userId: string, message: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export const startNotifier = async (file: string): Promise<Notifier> => {
  const child = spawn(process.execPath, [entry, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  const waiting: ((line: string) => void)[] = [];
  await once(lines, "line");
  lines.on("line", (line) => waiting.shift()?.(line));
  return {
    notify: (userId, message) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.stdin.write(`${userId}\t${message}\n`);
      }),
    stop: async () => {
      child.stdin.end();
      await once(child, "exit");
    },
  };
};
