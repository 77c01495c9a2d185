import { WorkerPool, type WorkerPoolOptions } from "../../../server/platform/workers/workerPool.ts";
import { createJudgePools, type JudgePools } from "../../../server/proof/judge.ts";
import type { JudgeOptions } from "../../../server/proof/judgeSender.ts";
import type { RelayContext } from "../../../server/relay/relayContext.ts";
import { hungMs } from "../../support/limits.ts";

/** Threads that no test stops: to start them takes longer than most tests. They end with the process. */
class SharedPool<Task, Result> extends WorkerPool<Task, Result> {
  override stop = async (): Promise<void> => {};
}

const pools = new Map<string, WorkerPool<never, unknown>>();
const judging = new Map<string, JudgePools>();

/** Opens threads that all tests of a process share, with as much time as a busy machine may need. */
export const sharedThreads: RelayContext["openThreads"] = <Task, Result>(options: WorkerPoolOptions) => {
  const key = options.module.href;
  const pool = pools.get(key) ?? new SharedPool<never, unknown>({ ...options, timeLimitMs: hungMs });
  pools.set(key, pool);
  return pool as WorkerPool<Task, Result>;
};

/** Returns the threads that check senders, which tests with the same options share. */
export const sharedJudging = (options: JudgeOptions): JudgePools => {
  const key = JSON.stringify(options);
  const known =
    judging.get(key) ?? createJudgePools({ options, limits: { stepMs: hungMs, totalMs: hungMs } });
  judging.set(key, known);
  return known;
};
