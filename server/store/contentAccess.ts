import { mayAccessContent } from "../../core/contentAccess/access.ts";
import { type AiFeatures, AiFeaturesChange, aiFeaturesOf } from "../../core/contentAccess/aiFeature.ts";
import { type Tier, tierNamed, tiers } from "../../core/tiers/tier.ts";
import type { Db } from "./database.ts";

/** What a user allows to be derived from the content of their mail. */
export interface Consent {
  readonly features: AiFeatures;
  /** The host of a model elsewhere that was named when they agreed; null: none was. */
  readonly externalModel: string | null;
}

const featuresIn = (json: string): AiFeatures => {
  const decoded = AiFeaturesChange.decode(JSON.parse(json));
  return aiFeaturesOf(decoded._tag === "Right" ? decoded.right : {});
};

/** A row of consent as far as the user's plan lets it count; null: nothing may be derived (SG4). */
export const consentOf = (
  tier: string,
  row: {
    readonly enabled: number | null;
    readonly features: string | null;
    readonly external_model: string | null;
  },
): Consent | null =>
  row.enabled === 1 && mayAccessContent(tierNamed(tier))
    ? { features: featuresIn(row.features ?? "{}"), externalModel: row.external_model }
    : null;

/** What a user allows; undefined when there is no such user. */
export const findConsent = async (
  db: Db,
  userId: string,
): Promise<{ readonly tier: Tier; readonly consent: Consent | null } | undefined> => {
  const row = await db
    .selectFrom("users")
    .leftJoin("content_access", "content_access.user_id", "users.id")
    .select(["users.tier", "enabled", "features", "external_model"])
    .where("users.id", "=", userId)
    .executeTakeFirst();
  return row && { tier: tierNamed(row.tier), consent: consentOf(row.tier, row) };
};

/** Allows content to be looked at, with the features as they were left. */
export const allowContent = async (
  db: Db,
  userId: string,
  { externalModel, now }: { readonly externalModel: string | null; readonly now: number },
): Promise<void> => {
  await db
    .insertInto("content_access")
    .values({ user_id: userId, enabled: 1, external_model: externalModel, features: "{}", updated_at: now })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({ enabled: 1, external_model: externalModel, updated_at: now }),
    )
    .execute();
};

/** Forbids it, and forgets all that was derived. */
export const forbidContent = async (db: Db, userId: string, now: number): Promise<void> => {
  await db
    .updateTable("content_access")
    .set({ enabled: 0, external_model: null, updated_at: now })
    .where("user_id", "=", userId)
    .execute();
  await forgetDerived(db, [userId]);
};

export const changeFeatures = async (
  db: Db,
  userId: string,
  { features, now }: { readonly features: AiFeatures; readonly now: number },
): Promise<void> => {
  await db
    .updateTable("content_access")
    .set({ features: JSON.stringify(features), updated_at: now })
    .where("user_id", "=", userId)
    .execute();
};

/** Removes what was derived from the content of these users' mail. */
export const forgetDerived = async (db: Db, userIds: readonly string[]): Promise<void> => {
  for (const table of ["account_counts", "mask_counts"] as const)
    await db.deleteFrom(table).where("user_id", "in", userIds).where("kind", "=", "category").execute();
  await db
    .updateTable("recent_mails")
    .set({ category: null })
    .where("user_id", "in", userIds)
    .where("category", "is not", null)
    .execute();
};

/**
 * Which of these users may have content derived at this moment. Where mail is counted, a consent that is being
 * withdrawn waits until that is done, and then forgets it too.
 */
export const withConsent = async (
  db: Db,
  userIds: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> => {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .updateTable("content_access")
    .set({ updated_at: now })
    .where("user_id", "in", [...userIds].sort())
    .where("enabled", "=", 1)
    .returning("user_id")
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
};

/** Users who allowed it under a plan that no longer does. */
export const consentsBeyondPlan = async (db: Db): Promise<readonly string[]> => {
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
