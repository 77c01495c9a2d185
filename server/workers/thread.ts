import { Worker } from "node:worker_threads";

/** What a thread answers a task with. */
export type Answer<Result> = { readonly result: Result } | { readonly failure: string };

/** One thread, which does one thing at a time. */
export interface Thread<Task, Result> {
  /** Tells once how it ended: an answer, or null when the thread is gone. */
  readonly give: (task: Task, told: (answer: Answer<Result> | null) => void) => void;
  readonly end: () => Promise<unknown>;
}

/** Begins a thread; an idle one does not keep the process alive. */
export const beginThread = <Task, Result>(module: URL, memoryLimitMb: number): Thread<Task, Result> => {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    stdout: true,
    stderr: true,
  });
  let tell: ((answer: Answer<Result> | null) => void) | null = null;
  const told = (answer: Answer<Result> | null): void => {
    const listener = tell;
    tell = null;
    worker.unref();
    listener?.(answer);
  };
  worker.unref();
  worker.on("message", (answer: Answer<Result>) => told(answer));
  worker.on("error", () => told(null));
  worker.on("exit", () => told(null));
  return {
    give: (task, listener) => {
      tell = listener;
      worker.ref();
      worker.postMessage(task);
    },
    end: () => {
      tell = null;
      return worker.terminate();
    },
  };
};
