import * as E from "fp-ts/lib/Either.js";
import type * as t from "io-ts";
import type { FieldError } from "../../kernel/failure.ts";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { RuleAction } from "../model/action.ts";
import type { ConditionNode } from "../model/conditionGroup.ts";
import { isGroup } from "../model/conditionGroup.ts";
import { patternRefusedMessage } from "../model/conditionValue.ts";
import { maxActions, maxConditions, type Rule, type RuleId, RuleName } from "../model/rule.ts";
import { isPattern } from "../model/ruleList.ts";
import { maskOfList } from "../model/rulePlace.ts";
import { RuleType } from "../model/ruleType.ts";
import { parseCondition } from "./conditionDraft.ts";
import { type ConditionNodeDraft, completeNodes, draftLeaves } from "./conditionGroupDraft.ts";
import { parseAction, type RuleDraft } from "./ruleDraft.ts";

/** The context that validation needs besides the draft. */
export interface DraftContext {
  /** The mask of the rule, or the id of a list for all masks; null when none is selected. */
  readonly maskId: string | null;
  /** Compiles regular expressions; without it the server checks them. */
  readonly compile?: CompilePattern;
}

type Checked<A> = E.Either<readonly FieldError[], A>;

const invalidField = (field: string, message: string): Checked<never> => E.left([{ field, message }]);

const toChecked = <A>(field: string, result: t.Validation<A>): Checked<A> =>
  E.isRight(result) ? result : invalidField(field, result.left[0]?.message ?? "");

/** Returns all parts, or all of their errors. */
const allOf = <A>(parts: readonly Checked<A>[]): Checked<readonly A[]> => {
  const errors = parts.flatMap((part) => (E.isLeft(part) ? part.left : []));
  return errors.length > 0
    ? E.left(errors)
    : E.right(parts.flatMap((part) => (E.isRight(part) ? [part.right] : [])));
};

const checkedCondition =
  (compile: CompilePattern | undefined) =>
  (draft: ConditionNodeDraft): Checked<ConditionNode> => {
    if (isGroup(draft)) {
      const { id, match } = draft;
      return E.map((conditions: readonly ConditionNode[]) => ({ id, match, conditions }))(
        allOf(draft.conditions.map(checkedCondition(compile))),
      );
    }
    const field = `conditions.${draft.id}.value`;
    const condition = parseCondition(draft);
    if (E.isLeft(condition)) return invalidField(field, condition.left);
    const compiled = isPattern(condition.right) ? compile?.(String(condition.right.value)) : undefined;
    return compiled && E.isLeft(compiled)
      ? invalidField(field, patternRefusedMessage(compiled.left))
      : condition;
  };

const checkedAction = (draft: RuleDraft["actions"][number]): Checked<RuleAction> =>
  E.mapLeft((errors: readonly FieldError[]) =>
    errors.map(({ field, message }) => ({ field: `actions.${draft.id}.${field}`, message })),
  )(parseAction(draft));

const checkList = <A>(
  kind: "condition" | "action",
  parts: readonly Checked<A>[],
  max: number,
  count = parts.length,
): Checked<readonly A[]> => {
  if (parts.length === 0) return invalidField(`${kind}s`, `At least one valid ${kind} is required`);
  if (count > max)
    return invalidField(
      `${kind}s`,
      `A rule can have at most ${max} ${kind}s. Remove one, or create a second rule.`,
    );
  return allOf(parts);
};

/** Returns the valid conditions of a draft, those in groups included. */
export const validConditions = (draft: Pick<RuleDraft, "conditions">): readonly ConditionNode[] =>
  completeNodes(draft.conditions).flatMap((node) => {
    const checked = checkedCondition(undefined)(node);
    return E.isRight(checked) ? [checked.right] : [];
  });

/** Returns the valid actions of a draft. */
export const validActions = (draft: Pick<RuleDraft, "actions">): readonly RuleAction[] =>
  draft.actions.flatMap((one) => {
    const checked = one.type === "" ? null : parseAction(one);
    return checked !== null && E.isRight(checked) ? [checked.right] : [];
  });

const checkParts = (draft: RuleDraft, { maskId, compile }: DraftContext) => ({
  name: toChecked("name", RuleName.decode(draft.name)),
  type: toChecked("type", RuleType.decode(draft.type)),
  maskId: maskId ? E.right(maskId) : invalidField("mask", "No mask selected"),
  conditions: checkList(
    "condition",
    completeNodes(draft.conditions).map(checkedCondition(compile)),
    maxConditions,
    draftLeaves(completeNodes(draft.conditions)).length,
  ),
  actions: checkList(
    "action",
    draft.actions.filter(({ type }) => type !== "").map(checkedAction),
    maxActions,
  ),
});

/**
 * Returns the errors of a draft in the order of RU6: name, type, mask, conditions, actions. An error inside a
 * condition or an action names it ("conditions.condition_2.value", "actions.action_1.email"). Incomplete rows
 * are ignored. Empty when the rule can be saved.
 */
export const checkRuleDraft = (draft: RuleDraft, context: DraftContext): readonly FieldError[] =>
  Object.values(checkParts(draft, context)).flatMap((part: Checked<unknown>) =>
    E.isLeft(part) ? part.left : [],
  );

/** The fields of a rule that its draft does not contain. */
export interface RuleIdentity {
  readonly id: RuleId;
  /** The current time, in ISO 8601. */
  readonly now: string;
  /** The previous version of an edited rule; its metadata and creation time are kept. */
  readonly before?: Rule;
}

const toMetadata = ({ stop }: RuleDraft, before: Rule | undefined): Pick<Rule, "metadata"> => {
  const { stop: _, ...others } = before?.metadata ?? {};
  const metadata = stop ? { ...others, stop } : others;
  return Object.keys(metadata).length === 0 ? {} : { metadata };
};

/** Builds the rule from a draft; left: the errors of `checkRuleDraft`. */
export const buildRule = (
  draft: RuleDraft,
  context: DraftContext,
  { id, now, before }: RuleIdentity,
): Checked<Rule> => {
  const { name, type, maskId, conditions, actions } = checkParts(draft, context);
  if (E.isLeft(name) || E.isLeft(type) || E.isLeft(maskId) || E.isLeft(conditions) || E.isLeft(actions))
    return E.left(checkRuleDraft(draft, context));
  return E.right({
    id,
    ...maskOfList(maskId.right),
    name: name.right,
    type: type.right,
    enabled: draft.enabled,
    conditions: conditions.right,
    actions: actions.right,
    ...toMetadata(draft, before),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  });
};
