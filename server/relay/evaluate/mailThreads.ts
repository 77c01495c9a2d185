import type { Decision } from "../../../core/rules/engine/decision.ts";
import type { ReplyTask, ReplyTaskResult } from "../../features/replies/rewrite/replyWriter.ts";
import { replyThreads } from "../../features/replies/rewrite/replyWriter.ts";
import type { ReadReport } from "../../features/reports/received/readReport.ts";
import { reportThreads } from "../../features/reports/received/readReport.ts";
import { WorkerPool } from "../../platform/workers/workerPool.ts";
import { createJudgePools, type JudgePools } from "../../proof/judge.ts";
import type { JudgeOptions } from "../../proof/judgeSender.ts";
import { type EvaluationTask, evaluationThreads } from "./evaluate.ts";

/** The threads that read strangers' mail, with limits of time and memory. */
export interface MailThreads {
  readonly evaluation: WorkerPool<EvaluationTask, readonly Decision[]>;
  readonly replies: WorkerPool<ReplyTask, ReplyTaskResult>;
  readonly judging: JudgePools;
  readonly reports: WorkerPool<Uint8Array, ReadReport>;
  readonly stop: () => Promise<void>;
}

/** Creates the threads of a receiver of mail; each starts when it is needed first. */
export const createMailThreads = (options: JudgeOptions): MailThreads => {
  const evaluation = new WorkerPool<EvaluationTask, readonly Decision[]>(evaluationThreads);
  const replies = new WorkerPool<ReplyTask, ReplyTaskResult>(replyThreads);
  const reports = new WorkerPool<Uint8Array, ReadReport>(reportThreads);
  const judging = createJudgePools({ options });
  return {
    evaluation,
    replies,
    judging,
    reports,
    stop: async () => {
      await evaluation.stop();
      await judging.stop();
      await replies.stop();
      await reports.stop();
    },
  };
};
