import type { Db } from "./database.ts";

/** How many earlier lists of a mask are kept: as many saves may lie between what two devices know. */
const kept = 50;

/** Keeps a list of rules under its name, so that what is saved from it later can be merged (D43). */
export const keepRuleVersion = async (
  db: Db,
  maskId: string,
  { version, rules, now }: { readonly version: string; readonly rules: string; readonly now: number },
): Promise<void> => {
  await db
    .insertInto("rule_versions")
    .values({ mask_id: maskId, version, rules, created_at: now })
    .onConflict((conflict) => conflict.columns(["mask_id", "version"]).doUpdateSet({ created_at: now }))
    .execute();
  await db
    .deleteFrom("rule_versions")
    .where("mask_id", "=", maskId)
    .where("version", "not in", (eb) =>
      eb
        .selectFrom("rule_versions")
        .where("mask_id", "=", maskId)
        .orderBy("created_at", "desc")
        .orderBy("version")
        .limit(kept)
        .select("version"),
    )
    .execute();
};

/** The list of that name, as it was stored; null when it is not known (any more). */
export const ruleVersion = async (db: Db, maskId: string, version: string): Promise<string | null> => {
  const row = await db
    .selectFrom("rule_versions")
    .where("mask_id", "=", maskId)
    .where("version", "=", version)
    .select("rules")
    .executeTakeFirst();
  return row?.rules ?? null;
};
