import type { RuleAction } from "../../../core/rules/model/action.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import type { Db } from "../../../server/platform/store/database.ts";
import { addMask, type Owner, type TestMask } from "./owners.ts";

type Conditions = Rule["conditions"];

const always: Conditions = [{ field: "sender", operator: "contains", value: ["@"] }];

/** Creates a rule; without conditions it matches every mail with a sender. */
export const rule = (actions: readonly RuleAction[], conditions: Conditions = always, n = 1): Rule => ({
  id: `rule_${n}`,
  name: `Rule ${n}`,
  type: "content_filter",
  enabled: true,
  conditions,
  actions,
});

export const setRules = async (db: Db, { id }: TestMask, rules: readonly Rule[]): Promise<void> => {
  await db
    .updateTable("masks")
    .set({ rules: JSON.stringify(rules) })
    .where("id", "=", id)
    .execute();
};

/** Adds a mask with one rule that applies these actions to all its mail. */
export const addRuledMask = async (
  db: Db,
  owner: Owner,
  ...actions: readonly RuleAction[]
): Promise<TestMask> => {
  const mask = await addMask(db, owner);
  await setRules(db, mask, [rule(actions)]);
  return mask;
};
