import type { WorkerPool, WorkerPoolOptions } from "../workers/workerPool.ts";
import type { FoundKey, FoundKeyRefusal } from "./foundKey.ts";
import type { KeyTask } from "./keyTask.ts";

/** Examines found keys in threads. */
export type KeyPool = WorkerPool<KeyTask, FoundKey | FoundKeyRefusal>;

/** For keys of strangers, who choose how long the check of a signature takes. */
export const keyThreads: WorkerPoolOptions = {
  module: new URL("./keyThread.ts", import.meta.url),
  maxThreads: 1,
  idleThreads: 0,
  timeLimitMs: 5_000,
  memoryLimitMb: 256,
};
