import { mayAccessContent } from "../../../core/contentAccess/contentAccessEndpoints.ts";
import { tiers } from "../../../core/tiers/tier.ts";
import type { Db } from "../../platform/store/database.ts";

/** Deletes what was derived from the content of these users' mail. */
export const deleteDerivedData = async (db: Db, userIds: readonly string[]): Promise<void> => {
  for (const table of ["account_counts", "mask_counts"] as const)
    await db.deleteFrom(table).where("user_id", "in", userIds).where("kind", "=", "category").execute();
  await db
    .updateTable("recent_mails")
    .set({ category: null })
    .where("user_id", "in", userIds)
    .where("category", "is not", null)
    .execute();
};

/** Returns the users whose consent is still set although their plan no longer allows it. */
export const listConsentsBeyondPlan = async (db: Db): Promise<readonly string[]> => {
  const allowed = tiers.filter(mayAccessContent);
  const rows = await db
    .selectFrom("content_access")
    .innerJoin("users", "users.id", "content_access.user_id")
    .select("users.id")
    .where("content_access.enabled", "=", 1)
    .where("users.tier", "not in", allowed)
    .execute();
  return rows.map(({ id }) => id);
};
