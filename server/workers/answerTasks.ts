import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { Answer } from "./workerPool.ts";

/** Behind the threads that answer clients. */
const niceness = 5;

/**
 * Runs in a thread: answers each task with what `work` makes of it. Where priorities belong to threads, this one lets
 * the others go first.
 */
export const answerTasks = <Task, Result>(work: (task: Task) => Promise<Result>): void => {
  if (process.platform === "linux") setPriority(0, niceness);
  const answer = (said: Answer<Result>): void => parentPort?.postMessage(said);
  parentPort?.on("message", (task: Task) => {
    work(task).then(
      (result) => answer({ result }),
      (error: unknown) => answer({ failure: error instanceof Error ? error.message : "failed" }),
    );
  });
};
