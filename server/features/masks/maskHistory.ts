import { monthOf } from "../../delivery/usageQueries.ts";
import type { Database } from "../../platform/store/database.ts";
import { hasRules } from "../../relay/evaluate/ruleCache.ts";
import type { MailFact } from "../../relay/mailPart.ts";
import { readMaskHistory } from "./maskStatistics.ts";

/** Creates the facts about a mask's history, before the mail is counted. */
export const createMaskHistory = ({ db }: Pick<Database, "db">): MailFact => ({
  isNeeded: ({ rules }) => hasRules(rules),
  read: ({ now }, { maskId }) => readMaskHistory(db, maskId, monthOf(now)),
});
