import type { Feature } from "../context/feature.ts";
import { pruneTlsPolicies } from "../delivery/direct/tlsPolicyQueries.ts";
import { recountKept } from "../delivery/queue/keptBytes.ts";
import type { Prune, PruneJob } from "../platform/ops/housekeeping.ts";
import { pruneResponses } from "../platform/store/idempotencyQueries.ts";
import { pruneUsedMarks } from "../platform/store/usedMarks.ts";
import { pruneAutomaticAnswers } from "../relay/decision/automaticAnswerQueries.ts";
import { pruneSenderDays } from "../relay/limits/dailyShare.ts";

/** Returns the jobs that delete expired data: of the features, and of the way of a mail. */
export const pruneJobsOf = (features: readonly Feature[]): readonly PruneJob[] => {
  const ofMail = {
    pruneResponses,
    pruneUsedMarks,
    pruneAutomaticAnswers,
    pruneSenderDays,
    pruneTlsPolicies,
    recountKept,
  };
  return [...features.map(({ prune = {} }) => prune), ofMail].flatMap(
    (jobs: Readonly<Record<string, Prune>>) => Object.entries(jobs).map(([name, run]) => ({ name, run })),
  );
};
