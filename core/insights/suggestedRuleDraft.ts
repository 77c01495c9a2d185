import * as E from "fp-ts/lib/Either.js";
import type * as t from "io-ts";
import { toConditionDraft } from "../rules/editing/conditionDraft.ts";
import { emptyRuleDraft, type RuleDraft, toActionDraft } from "../rules/editing/ruleDraft.ts";
import { RuleAction } from "../rules/model/action.ts";
import { Condition } from "../rules/model/condition.ts";
import { RuleType } from "../rules/model/ruleType.ts";
import type { Suggestion } from "./suggestion.ts";

const maxNameLength = 100;

const decodeValid = <A>(codec: t.Type<A, unknown, unknown>, values: readonly unknown[]): readonly A[] =>
  values.map(codec.decode).flatMap((decoded) => (E.isRight(decoded) ? [decoded.right] : []));

/** Creates the editor's draft of a suggestion, without undecodable parts; `timeZone` is the default of `during`. */
export const toRuleDraft = ({ title, rule }: Suggestion, timeZone: string): RuleDraft => {
  if (rule === undefined) return { ...emptyRuleDraft, name: title.slice(0, maxNameLength) };
  const [type = ""] = decodeValid(RuleType, [rule.type]);
  const conditions = decodeValid(Condition, rule.conditions);
  const actions = decodeValid(RuleAction, rule.actions);
  return {
    ...emptyRuleDraft,
    name: rule.name.slice(0, maxNameLength),
    type,
    conditions: conditions.map((one, n) => toConditionDraft(one, `condition_${n + 1}`, timeZone)),
    actions: actions.map((one, n) => toActionDraft(one, `action_${n + 1}`)),
  };
};
