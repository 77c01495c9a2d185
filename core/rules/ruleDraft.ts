import { type ActionDraft, actionDraftOf, emptyAction } from "./actionDraft.ts";
import { type ConditionDraft, conditionDraftOf, emptyCondition } from "./conditionDraft.ts";
import { type Rule, stops } from "./rule.ts";
import type { RuleType } from "./ruleType.ts";

/** A rule as it stands in the editor (RU2). */
export interface RuleDraft {
  readonly name: string;
  readonly type: RuleType | "";
  readonly enabled: boolean;
  /** Where it applies, none of the rules behind it is looked at. */
  readonly stop: boolean;
  readonly conditions: readonly ConditionDraft[];
  readonly actions: readonly ActionDraft[];
}

export const emptyRuleDraft: RuleDraft = {
  name: "",
  type: "",
  enabled: true,
  stop: false,
  conditions: [],
  actions: [],
};

/** A name no part of the draft has. */
const unusedId = (parts: readonly { readonly id: string }[], prefix: string): string => {
  const taken = new Set(parts.map(({ id }) => id));
  const free = Array.from({ length: parts.length + 1 }, (_, n) => `${prefix}_${n + 1}`);
  return free.find((id) => !taken.has(id)) ?? `${prefix}_${parts.length + 1}`;
};

/** With one more condition, or action, to be filled in. */
export const withCondition = (draft: RuleDraft, timeZone: string): RuleDraft => ({
  ...draft,
  conditions: [...draft.conditions, emptyCondition(unusedId(draft.conditions, "condition"), timeZone)],
});
export const withAction = (draft: RuleDraft): RuleDraft => ({
  ...draft,
  actions: [...draft.actions, emptyAction(unusedId(draft.actions, "action"))],
});

const changed = <A extends { readonly id: string }>(
  parts: readonly A[],
  id: string,
  change: (part: A) => A | null,
): readonly A[] => parts.flatMap((part) => (part.id === id ? (change(part) ?? []) : [part]));

/** With one condition changed; null removes it. */
export const changeCondition = (
  draft: RuleDraft,
  id: string,
  change: (condition: ConditionDraft) => ConditionDraft | null,
): RuleDraft => ({ ...draft, conditions: changed(draft.conditions, id, change) });

/** With one action changed; null removes it. */
export const changeAction = (
  draft: RuleDraft,
  id: string,
  change: (action: ActionDraft) => ActionDraft | null,
): RuleDraft => ({ ...draft, actions: changed(draft.actions, id, change) });

/** A rule as it is edited. `timeZone`: what a `during` that is added begins with. */
export const ruleDraftOf = (rule: Rule, timeZone: string): RuleDraft => ({
  name: rule.name,
  type: rule.type,
  enabled: rule.enabled,
  stop: stops(rule),
  conditions: rule.conditions.map((one, n) => conditionDraftOf(one, `condition_${n + 1}`, timeZone)),
  actions: rule.actions.map((one, n) => actionDraftOf(one, `action_${n + 1}`)),
});
