import * as E from "fp-ts/lib/Either.js";
import type * as t from "io-ts";
import type { FieldError } from "../kernel/failure.ts";
import type { CompilePattern } from "../ports/patterns.ts";
import type { Action } from "./action.ts";
import { actionOf } from "./actionDraft.ts";
import type { Condition } from "./condition.ts";
import { conditionOf, isComplete } from "./conditionDraft.ts";
import { patternRefused } from "./pattern.ts";
import { mostActions, mostConditions, type Rule, type RuleId, RuleName } from "./rule.ts";
import type { RuleDraft } from "./ruleDraft.ts";
import { isPattern } from "./ruleList.ts";
import { RuleType } from "./ruleType.ts";

/** What is known around a draft that is checked. */
export interface DraftSurroundings {
  /** The mask it is for; null when none is chosen. */
  readonly maskId: string | null;
  /** Compiles regular expressions; without it they are left for the server to check. */
  readonly compile?: CompilePattern;
}

type Checked<A> = E.Either<readonly FieldError[], A>;

const wrong = (field: string, message: string): Checked<never> => E.left([{ field, message }]);

const decoded = <A>(field: string, result: t.Validation<A>): Checked<A> =>
  E.isRight(result) ? result : wrong(field, result.left[0]?.message ?? "");

const checkedCondition =
  (compile: CompilePattern | undefined) =>
  (draft: RuleDraft["conditions"][number]): Checked<Condition> => {
    const field = `conditions.${draft.id}.value`;
    const condition = conditionOf(draft);
    if (E.isLeft(condition)) return wrong(field, condition.left);
    const compiled = isPattern(condition.right) ? compile?.(String(condition.right.value)) : undefined;
    return compiled && E.isLeft(compiled) ? wrong(field, patternRefused(compiled.left)) : condition;
  };

const checkedAction = (draft: RuleDraft["actions"][number]): Checked<Action> =>
  E.mapLeft((errors: readonly FieldError[]) =>
    errors.map(({ field, message }) => ({ field: `actions.${draft.id}.${field}`, message })),
  )(actionOf(draft));

const some = <A>(
  what: "condition" | "action",
  parts: readonly Checked<A>[],
  most: number,
): Checked<readonly A[]> => {
  if (parts.length === 0) return wrong(`${what}s`, `At least one valid ${what} is required`);
  if (parts.length > most)
    return wrong(`${what}s`, `A rule can have at most ${most} ${what}s. Remove one, or make a second rule.`);
  const errors = parts.flatMap((part) => (E.isLeft(part) ? part.left : []));
  return errors.length > 0
    ? E.left(errors)
    : E.right(parts.flatMap((part) => (E.isRight(part) ? [part.right] : [])));
};

const parts = (draft: RuleDraft, { maskId, compile }: DraftSurroundings) => ({
  name: decoded("name", RuleName.decode(draft.name)),
  type: decoded("type", RuleType.decode(draft.type)),
  maskId: maskId ? E.right(maskId) : wrong("mask", "No mask selected"),
  conditions: some(
    "condition",
    draft.conditions.filter(isComplete).map(checkedCondition(compile)),
    mostConditions,
  ),
  actions: some("action", draft.actions.filter(({ type }) => type !== "").map(checkedAction), mostActions),
});

/**
 * What is wrong with a draft, in the order of RU6: name, type, mask, conditions, actions; what is wrong inside a
 * condition or an action stands in the place of its kind ("conditions.condition_2.value", "actions.action_1.email").
 * Lines that are not filled in are left out, not refused. Empty when the rule can be saved.
 */
export const checkRuleDraft = (draft: RuleDraft, around: DraftSurroundings): readonly FieldError[] =>
  Object.values(parts(draft, around)).flatMap((part: Checked<unknown>) => (E.isLeft(part) ? part.left : []));

/** What a rule is beside its draft. */
export interface RuleIdentity {
  readonly id: RuleId;
  /** ISO 8601. */
  readonly now: string;
  /** The rule as it was, where one is edited: what the editor does not show stays. */
  readonly before?: Rule;
}

const metadataOf = ({ stop }: RuleDraft, before: Rule | undefined): Pick<Rule, "metadata"> => {
  const { stop: _, ...others } = before?.metadata ?? {};
  const metadata = stop ? { ...others, stop } : others;
  return Object.keys(metadata).length === 0 ? {} : { metadata };
};

/** The rule that a draft means; left: what `checkRuleDraft` says. */
export const ruleOf = (
  draft: RuleDraft,
  around: DraftSurroundings,
  { id, now, before }: RuleIdentity,
): Checked<Rule> => {
  const { name, type, maskId, conditions, actions } = parts(draft, around);
  if (E.isLeft(name) || E.isLeft(type) || E.isLeft(maskId) || E.isLeft(conditions) || E.isLeft(actions))
    return E.left(checkRuleDraft(draft, around));
  return E.right({
    id,
    maskId: maskId.right,
    name: name.right,
    type: type.right,
    enabled: draft.enabled,
    conditions: conditions.right,
    actions: actions.right,
    ...metadataOf(draft, before),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  });
};
