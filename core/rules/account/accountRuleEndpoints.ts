import * as t from "io-ts";
import { endpoint } from "../../api/endpoint.ts";
import { AccountPlace } from "../model/rulePlace.ts";

/** A list of rules as it is stored, and the version that `If-Match` names when it is saved (D43). */
const RuleListState = t.type({ rules: t.array(t.unknown), version: t.string });
export type RuleListState = t.TypeOf<typeof RuleListState>;

/** The rules for all masks of an account: those that are asked before and those that are asked after a mask's own. */
export const AccountRules = t.type({ before: RuleListState, after: RuleListState });
export type AccountRules = t.TypeOf<typeof AccountRules>;

/** The number of times that a rule for all masks was applied, and the last time (ISO 8601). */
export const AccountRuleCounts = t.record(
  t.string,
  t.type({ appliedCount: t.number, lastApplied: t.string }),
);
export type AccountRuleCounts = t.TypeOf<typeof AccountRuleCounts>;

/** Reads the rules for all masks: the list before and the list after the rules of each mask. Extends the contract. */
export const getAccountRules = endpoint("GET", "/rules", { tokens: "masks:read", answer: AccountRules });

/**
 * Saves one of the lists for all masks; changes made elsewhere since the version of `If-Match` are merged into it. A new address to
 * forward to needs what POST /masks needs for it. Extends the contract.
 */
export const putAccountRules = endpoint("PUT", "/rules/:place", {
  tokens: "masks:write",
  params: t.type({ place: AccountPlace }),
  body: t.type({ rules: t.array(t.unknown) }),
  answer: RuleListState,
});

/** Counts what the rules for all masks did, by the id of the rule. Extends the contract. */
export const getAccountRuleCounts = endpoint("GET", "/rules/stats", {
  tokens: "masks:read",
  answer: t.type({ rules: AccountRuleCounts }),
});
