import { isSamePart, type RulePart, ruleParts } from "../model/mergeRules.ts";
import type { Rule } from "../model/rule.ts";
import type { PendingRecord } from "./pendingRecord.ts";

/** A rule whose same parts were changed on two devices, so that one change has replaced the other (D43). */
export interface ReplacedRule {
  readonly maskId: string;
  readonly mine: Rule;
  readonly theirs: Rule;
  /** The parts that both have changed, each differently. */
  readonly parts: readonly RulePart[];
  /** The version whose change is in the list now. */
  readonly kept: "mine" | "theirs";
}

/** Returns the parts of a rule that both versions have changed since `base`, each differently. */
export const findConflicts = (base: Rule, mine: Rule, theirs: Rule): readonly RulePart[] =>
  ruleParts.filter(
    (part) =>
      !isSamePart(mine, base, part) && !isSamePart(theirs, base, part) && !isSamePart(mine, theirs, part),
  );

type Rules = readonly Rule[];

/**
 * Returns the rules in which a change was replaced: `merged` comes from `mine` and `theirs`, and they from the base.
 */
export const findReplacedRules = (
  maskId: string,
  { base }: Pick<PendingRecord, "base">,
  mine: Rules,
  theirs: Rules,
  merged: Rules,
): readonly ReplacedRule[] =>
  mine.flatMap((own) => {
    const find = (rules: Rules): Rule | undefined => rules.find(({ id }) => id === own.id);
    const before = find(base.rules);
    const other = find(theirs);
    const result = find(merged);
    if (!before || !other || !result) return [];
    const [first, ...rest] = findConflicts(before, own, other);
    if (first === undefined) return [];
    const kept = isSamePart(result, own, first) ? "mine" : "theirs";
    return [{ maskId, mine: own, theirs: other, parts: [first, ...rest], kept }];
  });
