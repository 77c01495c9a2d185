import type { AccountPlace } from "../../../core/rules/model/rulePlace.ts";
import type { Time } from "../../platform/store/tables.ts";

/** An earlier version of a mask's rules. */
export interface RuleVersionsTable {
  mask_id: string;
  /** Hash of the rules. */
  version: string;
  /** JSON. */
  rules: string;
  created_at: Time;
}

/** The rules of a user that stand before and after those of each mask, as JSON. */
export interface AccountRulesTable {
  user_id: string;
  before_rules: string;
  after_rules: string;
}

/** An earlier version of one of these lists. */
export interface AccountRuleVersionsTable {
  user_id: string;
  place: AccountPlace;
  /** Hash of the rules. */
  version: string;
  /** JSON. */
  rules: string;
  created_at: Time;
}

/** The number of times that a rule for all masks was applied, and the last time. */
export interface AccountRuleCountsTable {
  user_id: string;
  rule_id: string;
  applied: number;
  last_at: Time;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    rule_versions: RuleVersionsTable;
    account_rules: AccountRulesTable;
    account_rule_versions: AccountRuleVersionsTable;
    account_rule_counts: AccountRuleCountsTable;
  }
}
