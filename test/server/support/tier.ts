import type { Tier } from "../../../core/tiers/tier.ts";
import type { Database } from "../../../server/platform/store/database.ts";

/** Changes the tier of a user, as a payment would. */
export const setTier = async ({ db }: Database, email: string, tier: Tier): Promise<void> => {
  await db.updateTable("users").set({ tier }).where("email", "=", email).execute();
};
