import type { WorkerPool, WorkerPoolOptions } from "../workers/workerPool.ts";
import { examineFoundKeys, type FoundKey, type FoundKeyRefusal } from "./foundKey.ts";

/** What was found for an address, to be examined at a moment. */
export interface KeyTask {
  readonly bytes: Uint8Array;
  readonly address: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

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

/** Runs one task. Never rejects. */
export const runKeyTask = ({ bytes, address, now }: KeyTask): Promise<FoundKey | FoundKeyRefusal> =>
  examineFoundKeys(bytes, address, new Date(now));
