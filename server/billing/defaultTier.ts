import type { Tier } from "../../core/tiers/tier.ts";
import type { Database } from "../store/database.ts";
import { lockUser } from "../store/users.ts";
import { changePlan } from "./changePlan.ts";

/** Gives everybody who pays for nothing the tier that the operator has set for them, and no one more than once. */
export const applyDefaultTier = async (database: Database, tier: Tier, now: number): Promise<void> => {
  const others = await database.db
    .selectFrom("users")
    .select("id")
    .where("pays", "=", 0)
    .where("tier", "!=", tier)
    .execute();
  for (const { id } of others)
    await database.transaction(async (db) => {
      await lockUser(db, id);
      await changePlan(db, id, { tier, status: "active", pays: false, endsAt: null }, now);
    });
};
