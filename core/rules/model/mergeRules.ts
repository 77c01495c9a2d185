import { isSameJson } from "../../kernel/sameJson.ts";
import type { Rule, RuleId } from "./rule.ts";

/** Returns the largest set of ids that have the same order in both lists: these were not moved. */
const unmoved = (before: readonly string[], after: readonly string[]): ReadonlySet<string> => {
  const indexById = new Map(before.map((id, n) => [id, n]));
  const common = after.filter((id) => indexById.has(id));
  const indexes = common.map((id) => indexById.get(id) ?? 0);
  /** For each id, the length of the longest such run that ends with it, and the index of the id before it. */
  const runs: { readonly length: number; readonly from: number }[] = [];
  for (const at of indexes) {
    const best = runs.reduce(
      (longest, run, m) =>
        (indexes[m] ?? 0) < at && run.length > longest.length ? { length: run.length, from: m } : longest,
      { length: 0, from: -1 },
    );
    runs.push({ length: best.length + 1, from: best.from });
  }
  const found = new Set<string>();
  let n = runs.reduce((longest, run, m) => (run.length > (runs[longest]?.length ?? 0) ? m : longest), 0);
  for (let run = runs[n]; run; run = runs[n]) {
    found.add(common[n] ?? "");
    n = run.from;
  }
  return found;
};

/**
 * Merges the order of a list that two users have changed: the order is `theirs`, and every id that `mine` has
 * moved or added follows the id it follows in `mine`. An id that both have moved stands where `mine` has it.
 * Contains every id of both lists once; merging the result again changes nothing.
 */
const mergeOrder = (
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] => {
  const baseIds = new Set(base);
  const theirIds = new Set(theirs);
  const notMoved = unmoved(base, mine);
  const placed = new Set(mine.filter((id) => !theirIds.has(id) || (baseIds.has(id) && !notMoved.has(id))));
  const order = theirs.filter((id) => !placed.has(id));
  for (const [n, id] of mine.entries()) {
    const previous = n === 0 ? undefined : mine[n - 1];
    if (placed.has(id)) order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
  }
  return order;
};

/** The parts of a rule that are merged separately. */
export const ruleParts = ["name", "type", "enabled", "conditions", "actions", "metadata"] as const;

export type RulePart = (typeof ruleParts)[number];

type Content = Pick<Rule, RulePart>;

/** Returns the rule with these parts of another version of it. */
export const withParts = (rule: Rule, other: Rule, parts: readonly RulePart[]): Rule => ({
  ...rule,
  ...Object.fromEntries(parts.map((part) => [part, other[part]])),
});

const withoutIds = (list: unknown): unknown =>
  Array.isArray(list)
    ? list.map(({ id: _, ...rest }: { readonly id?: unknown; readonly conditions?: unknown }) =>
        rest.conditions === undefined ? rest : { ...rest, conditions: withoutIds(rest.conditions) },
      )
    : list;

/** True if a part is equal in both rules, ignoring the ids that an editor gives to conditions and actions. */
export const isSamePart = (one: Rule, other: Rule, part: RulePart): boolean =>
  isSameJson(withoutIds(one[part]), withoutIds(other[part]));

/** True if two versions of a rule are equal, ignoring the times they were written. */
export const isSameRule = (one: Rule, other: Rule): boolean =>
  ruleParts.every((part) => isSamePart(one, other, part));

/** Returns when a rule was written, in milliseconds since 1970; 0 where nobody knows. */
export const writtenAt = ({ updatedAt }: Rule): number => Date.parse(updatedAt ?? "") || 0;

/** Returns the version with the later `updatedAt`, and `theirs` when both are equal. */
const laterVersion = (mine: Rule, theirs: Rule): Rule =>
  writtenAt(mine) > writtenAt(theirs) ? mine : theirs;

/**
 * Merges a rule that both lists contain: a part changed on one side is taken from there, a part changed on both sides
 * from the later version.
 */
const mergeRule = (base: Rule | undefined, mine: Rule, theirs: Rule): Rule => {
  if (isSameRule(mine, theirs)) return laterVersion(mine, theirs);
  const winner = laterVersion(mine, theirs);
  const sourceOf = (part: keyof Content): Rule => {
    if (base !== undefined && isSamePart(mine, base, part)) return theirs;
    if (base !== undefined && isSamePart(theirs, base, part)) return mine;
    return winner;
  };
  const merged = ruleParts.flatMap((part) => {
    const value = sourceOf(part)[part];
    return value === undefined ? [] : [[part, value]];
  });
  const { metadata: _, ...rest } = winner;
  return { ...rest, ...(Object.fromEntries(merged) as Content) };
};

/** Merges one rule; null when it is deleted. An edit wins over a deletion, so that no edit is lost. */
const mergeOrDelete = (
  base: Rule | undefined,
  mine: Rule | undefined,
  theirs: Rule | undefined,
): Rule | null => {
  if (mine !== undefined && theirs !== undefined) return mergeRule(base, mine, theirs);
  const remaining = mine ?? theirs;
  if (remaining === undefined) return null;
  return base !== undefined && isSameRule(base, remaining) ? null : remaining;
};

const byId = (rules: readonly Rule[]): ReadonlyMap<RuleId, Rule> =>
  new Map(rules.map((rule) => [rule.id, rule]));

const idsOf = (rules: readonly Rule[]): readonly RuleId[] => rules.map(({ id }) => id);

/**
 * Merges two changed versions of one list of rules (D43): `base` is the common origin, `mine` is the list
 * being saved, `theirs` is the list that is stored by now.
 *
 * - A rule that one side added, edited or deleted is added, edited or deleted.
 * - Changes of one rule in different parts (name, type, switch, conditions, actions, metadata) are all kept;
 *   when both sides changed the same part, the version with the later `updatedAt` wins, and `theirs` when
 *   both times are equal.
 * - A rule that one side deleted and the other edited stays as edited.
 * - Moves are kept like edits; a rule that both moved stands where `mine` has it.
 * - With an empty base (when the origin is unknown) nothing counts as deleted.
 *
 * Every rule occurs once, and merging the result again changes nothing. The result may exceed the limit of
 * rules; the caller checks that.
 */
export const mergeRules = (
  base: readonly Rule[],
  mine: readonly Rule[],
  theirs: readonly Rule[],
): readonly Rule[] => {
  const before = byId(base);
  const ours = byId(mine);
  const others = byId(theirs);
  return mergeOrder(idsOf(base), idsOf(mine), idsOf(theirs)).flatMap(
    (id) => mergeOrDelete(before.get(id), ours.get(id), others.get(id)) ?? [],
  );
};

/** Counts the rules that were added, edited, deleted or moved since `base`. */
export const countChanges = (base: readonly Rule[], rules: readonly Rule[]): number => {
  const before = byId(base);
  const after = byId(rules);
  const isEdited = (rule: Rule): boolean => {
    const previous = before.get(rule.id);
    return previous === undefined || !isSameRule(previous, rule);
  };
  const deleted = base.filter(({ id }) => !after.has(id)).length;
  const edited = rules.filter(isEdited).length;
  if (deleted + edited > 0) return deleted + edited;
  return rules.filter(({ id }, n) => base[n]?.id !== id).length;
};
