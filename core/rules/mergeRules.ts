import { mergeOrder } from "./mergeOrder.ts";
import type { Rule, RuleId } from "./rule.ts";
import { sameContent } from "./sameContent.ts";

/** What somebody can change of a rule, each for itself. */
const parts = ["name", "type", "enabled", "conditions", "actions", "metadata"] as const;

type Content = Pick<Rule, (typeof parts)[number]>;

const withoutIds = (list: unknown): unknown =>
  Array.isArray(list) ? list.map(({ id: _, ...rest }: { readonly id?: unknown }) => rest) : list;

/** Whether a part says the same in both; the ids that an editor gives to conditions and actions mean nothing. */
const isSamePart = (one: Rule, other: Rule, part: keyof Content): boolean =>
  sameContent(withoutIds(one[part]), withoutIds(other[part]));

/** Whether two versions of a rule say the same, whenever they were written. */
export const isSameRule = (one: Rule, other: Rule): boolean =>
  parts.every((part) => isSamePart(one, other, part));

const writtenAt = ({ updatedAt }: Rule): number => Date.parse(updatedAt ?? "") || 0;

/** The later version of a rule; theirs when both are of the same moment. */
const later = (mine: Rule, theirs: Rule): Rule => (writtenAt(mine) > writtenAt(theirs) ? mine : theirs);

/** Both have the rule: each part as whoever changed it has it, and what both changed as the later version has it. */
const mergeRule = (base: Rule | undefined, mine: Rule, theirs: Rule): Rule => {
  if (isSameRule(mine, theirs)) return later(mine, theirs);
  const winner = later(mine, theirs);
  const sourceOf = (part: keyof Content): Rule => {
    if (base !== undefined && isSamePart(mine, base, part)) return theirs;
    if (base !== undefined && isSamePart(theirs, base, part)) return mine;
    return winner;
  };
  const merged = parts.flatMap((part) => {
    const value = sourceOf(part)[part];
    return value === undefined ? [] : [[part, value]];
  });
  const { metadata: _, ...rest } = winner;
  return { ...rest, ...(Object.fromEntries(merged) as Content) };
};

/** What becomes of one rule; null when it is gone. A deletion gives way to an edit made elsewhere: no edit is lost. */
const mergeOne = (base: Rule | undefined, mine: Rule | undefined, theirs: Rule | undefined): Rule | null => {
  if (mine !== undefined && theirs !== undefined) return mergeRule(base, mine, theirs);
  const left = mine ?? theirs;
  if (left === undefined) return null;
  return base !== undefined && isSameRule(base, left) ? null : left;
};

const byId = (rules: readonly Rule[]): ReadonlyMap<RuleId, Rule> =>
  new Map(rules.map((rule) => [rule.id, rule]));

const idsOf = (rules: readonly Rule[]): readonly RuleId[] => rules.map(({ id }) => id);

/**
 * Puts together what two have made of one list of rules (D43): `base` is what both began with, `mine` is what is being
 * saved, `theirs` what stands there meanwhile.
 *
 * - A rule that one of them added, edited or deleted is added, edited or deleted.
 * - What they changed of one rule in different parts (name, type, switch, conditions, actions, metadata) is all kept;
 *   of one part, the version with the later `updatedAt` counts, and theirs when both are of the same moment.
 * - A rule that one deleted and the other edited stays as edited.
 * - Moves are kept like edits; a rule both have moved stands where mine has it.
 * - With an empty base (nobody knows it any more) nothing counts as deleted.
 *
 * Every rule comes once, and merging the result again changes nothing. The result may be over the limit of rules: that
 * is for whoever saves it to check.
 */
export const mergeRules = (
  base: readonly Rule[],
  mine: readonly Rule[],
  theirs: readonly Rule[],
): readonly Rule[] => {
  const [before, ours, others] = [byId(base), byId(mine), byId(theirs)];
  return mergeOrder(idsOf(base), idsOf(mine), idsOf(theirs)).flatMap(
    (id) => mergeOne(before.get(id), ours.get(id), others.get(id)) ?? [],
  );
};

/** How many rules of a list were added, edited, deleted or moved since `base`. */
export const countChanges = (base: readonly Rule[], rules: readonly Rule[]): number => {
  const [before, after] = [byId(base), byId(rules)];
  const isEdited = (rule: Rule): boolean => {
    const was = before.get(rule.id);
    return was === undefined || !isSameRule(was, rule);
  };
  const deleted = base.filter(({ id }) => !after.has(id)).length;
  const edited = rules.filter(isEdited).length;
  if (deleted + edited > 0) return deleted + edited;
  return rules.filter(({ id }, n) => base[n]?.id !== id).length;
};
