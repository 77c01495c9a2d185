import { type LabelRenaming, labelField, renameLabelInRule } from "../../../core/rules/model/renameLabel.ts";
import { Rule } from "../../../core/rules/model/rule.ts";
import { accountPlaces } from "../../../core/rules/model/rulePlace.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { recordRulesChange, updateMask } from "../maskChanges/maskChanges.ts";
import { readAccountLists, saveAccountRuleVersion, writeAccountList } from "../rules/accountRuleQueries.ts";
import { type RuleVersion, saveRuleVersion, versionOfRules } from "../rules/ruleVersions.ts";

/** Renames a label in stored rules; those that cannot be read stay. Returns the same text when none names the label. */
const renameInStored = (stored: string, renaming: LabelRenaming): string => {
  if (!stored.includes(labelField)) return stored;
  const list = JSON.parse(stored) as readonly unknown[];
  const renamed = list.map((entry) => {
    const decoded = Rule.decode(entry);
    if (decoded._tag === "Left") return entry;
    const rule = renameLabelInRule(decoded.right, renaming);
    return rule === decoded.right ? entry : rule;
  });
  return renamed.some((entry, n) => entry !== list[n]) ? JSON.stringify(renamed) : stored;
};

/** Returns the version before a change and the one after it, so that edits from both can be merged (D43). */
const versionsOf = (before: string, after: string, now: number): readonly RuleVersion[] => [
  { version: versionOfRules(before), rules: before, now: now - 1 },
  { version: versionOfRules(after), rules: after, now },
];

interface RulesRenaming extends LabelRenaming {
  readonly now: number;
}

/**
 * Renames a label in all rules of a user that name it, in the transaction that renames the label, and records the
 * changes for every client: the one that renamed the label has the former rules too.
 */
export const renameLabelInRules = async (
  db: Db,
  userId: string,
  { now, ...renaming }: RulesRenaming,
): Promise<void> => {
  const lists = await readAccountLists(db, userId);
  for (const place of accountPlaces) {
    const rules = renameInStored(lists[place], renaming);
    if (rules === lists[place]) continue;
    const list = { userId, place };
    for (const version of versionsOf(lists[place], rules, now))
      await saveAccountRuleVersion(db, list, version);
    await writeAccountList(db, list, rules);
    await appendEvent(db, { userId, resource: "account-rules", resourceId: null, action: "updated" }, now);
  }
  const masks = await db
    .selectFrom("masks")
    .select(["id", "rules"])
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("rules", "like", `%${labelField}%`)
    .execute();
  for (const { id, rules: seen } of masks) {
    if (renameInStored(seen, renaming) === seen) continue;
    // The row is locked from here on; its rules may have been saved meanwhile.
    const before = (await updateMask(db, userId, id, {}, now))?.rules ?? seen;
    const rules = renameInStored(before, renaming);
    for (const version of versionsOf(before, rules, now)) await saveRuleVersion(db, id, version);
    await updateMask(db, userId, id, { rules }, now);
    await recordRulesChange(db, { userId, clientId: null }, id, now);
  }
};
