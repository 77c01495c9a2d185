import { dayMs } from "../../../core/kernel/durations.ts";
import { maxEntries } from "../../../core/mailLog/logEntry.ts";
import { historyMs, limitsOf, type Tier, tiers } from "../../../core/tiers/tier.ts";
import type { Db } from "../../platform/store/database.ts";
import { firstQueueIdAt } from "../../platform/store/id.ts";

/** After a change of the plan nothing is deleted for this time, so that a failed payment does not delete the log. */
const keptAfterChangeMs = 30 * dayMs;

const isEndless = (tier: Tier): boolean => historyMs(limitsOf[tier].history) === null;

/** Deletes the oldest entries of users whose plan keeps them without end, beyond `kept` for each. */
export const pruneEndlessLogs = async (db: Db, kept: number): Promise<void> => {
  const users = await db
    .selectFrom("log_entries")
    .innerJoin("users", "users.id", "log_entries.user_id")
    .where("users.tier", "in", tiers.filter(isEndless))
    .groupBy("log_entries.user_id")
    .having(({ eb, fn }) => eb(fn.countAll(), ">", kept))
    .select("log_entries.user_id as id")
    .execute();
  for (const { id } of users)
    await db
      .deleteFrom("log_entries")
      .where("user_id", "=", id)
      .where("id", "<=", (eb) =>
        eb
          .selectFrom("log_entries")
          .where("user_id", "=", id)
          .orderBy("id", "desc")
          .offset(kept)
          .limit(1)
          .select("id"),
      )
      .execute();
};

/** Deletes entries that are older than the history of their owner's plan, and too many where it has no end. */
export const pruneLog = async (db: Db, now: number): Promise<void> => {
  await pruneEndlessLogs(db, maxEntries);
  for (const tier of tiers) {
    const retentionMs = historyMs(limitsOf[tier].history);
    if (retentionMs === null) continue;
    await db
      .deleteFrom("log_entries")
      .where("id", "<", firstQueueIdAt(now - retentionMs))
      .where("user_id", "in", (eb) =>
        eb
          .selectFrom("users")
          .where("tier", "=", tier)
          .where("plan_changed_at", "<", now - keptAfterChangeMs)
          .select("id"),
      )
      .execute();
  }
};
