import { replyThreads } from "../../../server/features/replies/rewrite/replyWriter.ts";
import { reportThreads } from "../../../server/features/reports/received/readReport.ts";
import { WorkerPool } from "../../../server/platform/workers/workerPool.ts";
import { createJudgePools } from "../../../server/proof/judge.ts";
import type { JudgeOptions } from "../../../server/proof/judgeSender.ts";
import { evaluationThreads } from "../../../server/relay/evaluate/evaluate.ts";
import type { MailThreads } from "../../../server/relay/evaluate/mailThreads.ts";
import { hungMs } from "../../support/limits.ts";

/** Threads as the product has them, with as much time as a busy machine may need. */
const createPatientThreads = (options: JudgeOptions): Omit<MailThreads, "stop"> => ({
  evaluation: new WorkerPool({ ...evaluationThreads, timeLimitMs: hungMs }),
  replies: new WorkerPool({ ...replyThreads, timeLimitMs: hungMs }),
  reports: new WorkerPool({ ...reportThreads, timeLimitMs: hungMs }),
  judging: createJudgePools({ options, limits: { stepMs: hungMs, totalMs: hungMs } }),
});

const shared = new Map<string, Omit<MailThreads, "stop">>();

/**
 * Returns the threads for a receiver of mail. All tests of a process share those of the same options: to start them takes
 * longer than most tests. They end with the process.
 */
export const sharedThreads = (options: JudgeOptions): MailThreads => {
  const key = JSON.stringify(options);
  const threads = shared.get(key) ?? createPatientThreads(options);
  shared.set(key, threads);
  return { ...threads, stop: async () => {} };
};
