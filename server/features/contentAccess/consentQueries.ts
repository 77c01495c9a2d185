import {
  type AiFeatures,
  AiFeaturesChange,
  withDefaultFeatures,
} from "../../../core/contentAccess/aiFeature.ts";
import { mayAccessContent } from "../../../core/contentAccess/contentAccessEndpoints.ts";
import { parseTier, type Tier } from "../../../core/tiers/tier.ts";
import type { Db } from "../../platform/store/database.ts";
import type { Consent } from "../../relay/mailRoute.ts";

const parseFeatures = (json: string): AiFeatures => {
  const decoded = AiFeaturesChange.decode(JSON.parse(json));
  return withDefaultFeatures(decoded._tag === "Right" ? decoded.right : {});
};

/** Returns the consent of a row as far as the user's plan allows it; null when nothing may be derived (SG4). */
export const toConsent = (
  tier: string,
  row: {
    readonly enabled: number | null;
    readonly features: string | null;
    readonly external_model: string | null;
  },
): Consent | null =>
  row.enabled === 1 && mayAccessContent(parseTier(tier))
    ? { features: parseFeatures(row.features ?? "{}"), externalModel: row.external_model }
    : null;

/** Returns a user's tier and consent; undefined when there is no such user. */
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
  return row && { tier: parseTier(row.tier), consent: toConsent(row.tier, row) };
};

/** Grants access to content; the features keep their last values. */
export const grantConsent = async (
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

/** Withdraws access to content. */
export const withdrawConsent = async (db: Db, userId: string, now: number): Promise<void> => {
  await db
    .updateTable("content_access")
    .set({ enabled: 0, external_model: null, updated_at: now })
    .where("user_id", "=", userId)
    .execute();
};

export const updateFeatures = async (
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

/**
 * Returns which of these users consent now. The update locks their rows, so a withdrawal waits for the
 * transaction that counts the mail and then deletes its counts too.
 */
export const findUsersWithConsent = async (
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
