import * as E from "fp-ts/lib/Either.js";
import { fieldErrorsOf } from "../../api/fieldErrors.ts";
import type { FieldError } from "../../kernel/failure.ts";
import { RuleAction } from "../model/action.ts";
import { type ActionType, actionEntry } from "../model/actionType.ts";
import { endsEvaluation, type Rule } from "../model/rule.ts";
import type { RuleType } from "../model/ruleType.ts";
import { type ConditionNodeDraft, toNodeDrafts } from "./conditionGroupDraft.ts";

/** An action as the editor holds it. */
export interface ActionDraft {
  readonly id: string;
  readonly type: ActionType | "";
  readonly params: Readonly<Record<string, string | boolean>>;
}

const emptyAction = (id: string): ActionDraft => ({ id, type: "", params: {} });

const initialParams = (type: ActionType): ActionDraft["params"] =>
  Object.fromEntries(Object.entries(actionEntry(type).params).map(([name, { initial }]) => [name, initial]));

/** Sets the type; another type resets the parameters to their initial values (RU4). */
export const withType = (draft: ActionDraft, type: ActionType): ActionDraft =>
  draft.type === type ? draft : { id: draft.id, type, params: initialParams(type) };

export const withParam = (draft: ActionDraft, name: string, value: string | boolean): ActionDraft => ({
  ...draft,
  params: { ...draft.params, [name]: value },
});

/** Parses a draft that has a type; left: the errors of its parameters, by parameter name. */
export const parseAction = ({ id, type, params }: ActionDraft): E.Either<readonly FieldError[], RuleAction> =>
  E.mapLeft((errors: Parameters<typeof fieldErrorsOf>[0]) =>
    fieldErrorsOf(errors).map(({ field, message }) => ({ field: field.replace(/^params\.?/, ""), message })),
  )(RuleAction.decode({ id, type, params }));

export const toActionDraft = (action: RuleAction, id: string): ActionDraft => ({
  id,
  type: action.type,
  params: { ...initialParams(action.type), ...action.params },
});

/** A rule as the editor holds it (RU2). */
export interface RuleDraft {
  readonly name: string;
  readonly type: RuleType | "";
  readonly enabled: boolean;
  /** True if the evaluation of the list ends when the rule applies. */
  readonly stop: boolean;
  readonly conditions: readonly ConditionNodeDraft[];
  readonly actions: readonly ActionDraft[];
  /** What a new rule is for, once its user has chosen that. */
  readonly scope?: string;
}

export const emptyRuleDraft: RuleDraft = {
  name: "",
  type: "",
  enabled: true,
  stop: false,
  conditions: [],
  actions: [],
};

const unusedId = (parts: readonly { readonly id: string }[], prefix: string): string => {
  const taken = new Set(parts.map(({ id }) => id));
  const free = Array.from({ length: parts.length + 1 }, (_, n) => `${prefix}_${n + 1}`);
  return free.find((id) => !taken.has(id)) ?? `${prefix}_${parts.length + 1}`;
};

/** Adds an empty action. */
export const withAction = (draft: RuleDraft): RuleDraft => ({
  ...draft,
  actions: [...draft.actions, emptyAction(unusedId(draft.actions, "action"))],
});

const changePart = <A extends { readonly id: string }>(
  parts: readonly A[],
  id: string,
  change: (part: A) => A | null,
): readonly A[] => parts.flatMap((part) => (part.id === id ? (change(part) ?? []) : [part]));

/** Changes one action; null removes it. */
export const changeAction = (
  draft: RuleDraft,
  id: string,
  change: (action: ActionDraft) => ActionDraft | null,
): RuleDraft => ({ ...draft, actions: changePart(draft.actions, id, change) });

/** Returns the draft of a rule. `timeZone` is the initial time zone of conditions without one. */
export const toRuleDraft = (rule: Rule, timeZone: string): RuleDraft => ({
  name: rule.name,
  type: rule.type,
  enabled: rule.enabled,
  stop: endsEvaluation(rule),
  conditions: toNodeDrafts(rule.conditions, timeZone),
  actions: rule.actions.map((one, n) => toActionDraft(one, `action_${n + 1}`)),
});
