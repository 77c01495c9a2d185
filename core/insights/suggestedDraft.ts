import * as E from "fp-ts/lib/Either.js";
import type * as t from "io-ts";
import { Action } from "../rules/action.ts";
import { actionDraftOf } from "../rules/actionDraft.ts";
import { Condition } from "../rules/condition.ts";
import { conditionDraftOf } from "../rules/conditionDraft.ts";
import { emptyRuleDraft, type RuleDraft } from "../rules/ruleDraft.ts";
import { RuleType } from "../rules/ruleType.ts";
import type { Suggestion } from "./suggestion.ts";

const longestName = 100;

const readable = <A>(codec: t.Type<A, unknown, unknown>, parts: readonly unknown[]): readonly A[] =>
  parts.map(codec.decode).flatMap((read) => (E.isRight(read) ? [read.right] : []));

/**
 * What the rule editor is filled with for a suggestion; a part this version cannot read is left out, for its owner to
 * see and fill. `timeZone`: what a `during` that is added begins with.
 */
export const suggestedDraft = ({ title, rule }: Suggestion, timeZone: string): RuleDraft => {
  if (rule === undefined) return { ...emptyRuleDraft, name: title.slice(0, longestName) };
  const [type = ""] = readable(RuleType, [rule.type]);
  const conditions = readable(Condition, rule.conditions);
  const actions = readable(Action, rule.actions);
  return {
    ...emptyRuleDraft,
    name: rule.name.slice(0, longestName),
    type,
    conditions: conditions.map((one, n) => conditionDraftOf(one, `condition_${n + 1}`, timeZone)),
    actions: actions.map((one, n) => actionDraftOf(one, `action_${n + 1}`)),
  };
};
