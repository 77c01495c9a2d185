import type { AccountRuleCounts } from "../../../core/rules/account/accountRuleEndpoints.ts";
import type { AccountPlace } from "../../../core/rules/model/rulePlace.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { noRules } from "../../relay/evaluate/ruleCache.ts";
import { maxVersions, type RuleVersion } from "./ruleVersions.ts";

/** A list of rules for all masks of a user. */
export interface AccountList {
  readonly userId: string;
  readonly place: AccountPlace;
}

const columnOf = { before: "before_rules", after: "after_rules" } as const;

/** Returns the rules for all masks of a user, as JSON. */
export const readAccountLists = async (
  db: Db,
  userId: string,
): Promise<Readonly<Record<AccountPlace, string>>> => {
  const row = await db
    .selectFrom("account_rules")
    .where("user_id", "=", userId)
    .select(["before_rules", "after_rules"])
    .executeTakeFirst();
  return { before: row?.before_rules ?? noRules, after: row?.after_rules ?? noRules };
};

/** Stores one of the lists. */
export const writeAccountList = async (
  db: Db,
  { userId, place }: AccountList,
  rules: string,
): Promise<void> => {
  const changed = { [columnOf[place]]: rules };
  await db
    .insertInto("account_rules")
    .values({ user_id: userId, before_rules: noRules, after_rules: noRules, ...changed })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(changed))
    .execute();
};

/** Returns a version of a list as stored; null when it is unknown or deleted. */
export const findAccountRuleVersion = async (
  db: Db,
  { userId, place }: AccountList,
  version: string,
): Promise<string | null> => {
  const row = await db
    .selectFrom("account_rule_versions")
    .where("user_id", "=", userId)
    .where("place", "=", place)
    .where("version", "=", version)
    .select("rules")
    .executeTakeFirst();
  return row?.rules ?? null;
};

/** Stores a version of a list, so that later edits based on it can be merged (D43). */
export const saveAccountRuleVersion = async (
  db: Db,
  { userId, place }: AccountList,
  { version, rules, now }: RuleVersion,
): Promise<void> => {
  await db
    .insertInto("account_rule_versions")
    .values({ user_id: userId, place, version, rules, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "place", "version"]).doUpdateSet({ created_at: now }),
    )
    .execute();
  await db
    .deleteFrom("account_rule_versions")
    .where("user_id", "=", userId)
    .where("place", "=", place)
    .where("version", "not in", (eb) =>
      eb
        .selectFrom("account_rule_versions")
        .where("user_id", "=", userId)
        .where("place", "=", place)
        .orderBy("created_at", "desc")
        .orderBy("version")
        .limit(maxVersions)
        .select("version"),
    )
    .execute();
};

/** Returns how often the rules for all masks of a user were applied. */
export const readAccountRuleCounts = async (db: Db, userId: string): Promise<AccountRuleCounts> => {
  const rows = await db
    .selectFrom("account_rule_counts")
    .where("user_id", "=", userId)
    .select(["rule_id", "applied", "last_at"])
    .execute();
  return Object.fromEntries(
    rows.map(({ rule_id, applied, last_at }) => [
      rule_id,
      { appliedCount: applied, lastApplied: new Date(last_at).toISOString() },
    ]),
  );
};

/** Deletes the counts of rules that are in neither list. */
export const deleteUnusedCounts = async (
  db: Db,
  userId: string,
  ruleIds: readonly string[],
): Promise<void> => {
  const own = db.deleteFrom("account_rule_counts").where("user_id", "=", userId);
  await (ruleIds.length === 0 ? own : own.where("rule_id", "not in", [...ruleIds])).execute();
};

/** A mail to which a rule for all masks was applied. */
export interface AppliedAccountRule {
  readonly userId: string;
  readonly ruleId: string;
}

const addCounts: RowStatement = {
  columns: { user_id: "text", rule_id: "text", applied: "bigint", at: "bigint" },
  text: (rows) =>
    `insert into account_rule_counts (user_id, rule_id, applied, last_at)
     select users.id, given.rule_id, given.applied, given.at
     from ${rows}
     join users on users.id = given.user_id
     where true
     on conflict (user_id, rule_id) do update set
       applied = account_rule_counts.applied + excluded.applied, last_at = excluded.last_at`,
};

/** Counts the mails of one commit, in the order of users and rules, so that two processes lock rows in the same order. */
export const countAccountRules = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  applied: readonly AppliedAccountRule[],
  now: number,
): Promise<void> => {
  if (applied.length === 0) return;
  const counts = new Map<string, number>();
  for (const { userId, ruleId } of applied) {
    const key = JSON.stringify([userId, ruleId]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await engine.runRows(
    db,
    addCounts,
    rows.map(([key, count]) => [...(JSON.parse(key) as [string, string]), count, now]),
  );
};
