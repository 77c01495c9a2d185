import { sql } from "kysely";
import type { SenderHabits } from "../../../core/insights/insightsEndpoints.ts";
import type { Db } from "../../platform/store/database.ts";

/** Returns what a sender's domain has sent to an account before, as far as it is still counted. */
export const readSenderHabits = async (
  db: Db,
  { userId, maskId, domain }: { readonly userId: string; readonly maskId: string; readonly domain: string },
): Promise<SenderHabits> => {
  if (domain === "") return { masks: 0, earlierMails: 0 };
  const row = await db
    .selectFrom("mask_counts")
    .where("user_id", "=", userId)
    .where("kind", "=", "sender")
    .where("key", "=", domain.toLowerCase())
    .select([
      sql<number>`count(distinct mask_id)`.as("masks"),
      sql<number | null>`sum(case when mask_id = ${maskId} then n else 0 end)`.as("earlierMails"),
    ])
    .executeTakeFirstOrThrow();
  return { masks: Number(row.masks), earlierMails: Number(row.earlierMails ?? 0) };
};
