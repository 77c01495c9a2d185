import { pruneTlsPolicies } from "../delivery/direct/tlsPolicyQueries.ts";
import type { Feature } from "../features/feature.ts";
import type { Prune } from "../platform/ops/housekeeping.ts";
import { pruneResponses } from "../platform/store/idempotencyQueries.ts";
import { pruneAutomaticAnswers } from "../relay/decision/automaticAnswerQueries.ts";
import { pruneSenderDays } from "../relay/limits/dailyShare.ts";
import { pruneSentMessageIds } from "../relay/replies/sentMessageIds.ts";

/** What deletes expired data: of the features, and of the way of a mail. */
export const pruneJobsOf = (features: readonly Feature[]): readonly Prune[] => [
  ...features.flatMap(({ prune = [] }) => prune),
  pruneResponses,
  pruneAutomaticAnswers,
  pruneSentMessageIds,
  pruneSenderDays,
  pruneTlsPolicies,
];
