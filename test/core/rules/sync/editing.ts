import type { Random } from "../../../../core/ports/random.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";

/** The fields of a rule that are edited here, each with values that are never used twice. */
export type Part = (typeof parts)[number];
const parts = ["name", "conditions", "actions"] as const;

/** One edit of a rule, with the version that its author saw. */
export type EditStep =
  | { readonly kind: "add"; readonly id: string; readonly rule: Rule }
  | {
      readonly kind: "edit";
      readonly id: string;
      readonly part: Part;
      readonly value: string;
      readonly replaced: string;
    }
  | { readonly kind: "delete"; readonly id: string; readonly rule: Rule };

export const partOf = (rule: Rule, part: Part): string => JSON.stringify(rule[part]);

const pick = <A>(random: Random, list: readonly A[]): A | undefined =>
  list[Math.floor(random.fraction() * list.length)];

const content = (n: number): Pick<Rule, Part> => ({
  name: `name ${n}`,
  conditions: [{ field: "subject", operator: "contains", value: [`word ${n}`] }],
  actions: [{ type: "tag", params: { tag: `tag ${n}` } }],
});

const moved = (random: Random, rules: readonly Rule[], rule: Rule): readonly Rule[] => {
  const others = rules.filter(({ id }) => id !== rule.id);
  const at = Math.floor(random.fraction() * (others.length + 1));
  return [...others.slice(0, at), rule, ...others.slice(at)];
};

/** Edits lists of rules at random and records the edits. */
export const createEditor = (random: Random, now: () => number) => {
  const steps: EditStep[] = [];
  let count = 0;
  const added = (rules: readonly Rule[], updatedAt: string): readonly Rule[] => {
    const id = `rule_${count}`;
    const rule: Rule = { id, type: "content_filter", enabled: true, ...content(count), updatedAt };
    steps.push({ kind: "add", id, rule });
    return moved(random, [...rules, rule], rule);
  };
  const edited = (rules: readonly Rule[], rule: Rule, updatedAt: string): readonly Rule[] => {
    const part = pick<Part>(random, ["name", "conditions", "actions"]) ?? "name";
    const after: Rule = { ...rule, [part]: content(count)[part], updatedAt };
    steps.push({
      kind: "edit",
      id: rule.id,
      part,
      value: partOf(after, part),
      replaced: partOf(rule, part),
    });
    return rules.map((one) => (one === rule ? after : one));
  };
  const deleted = (rules: readonly Rule[], rule: Rule): readonly Rule[] => {
    steps.push({ kind: "delete", id: rule.id, rule });
    return rules.filter((one) => one !== rule);
  };
  return {
    steps: steps as readonly EditStep[],
    change: (rules: readonly Rule[]): readonly Rule[] => {
      count += 1;
      const updatedAt = new Date(now()).toISOString();
      const rule = pick(random, rules);
      const chance = random.fraction();
      if (!rule || (chance < 0.2 && rules.length < 30)) return added(rules, updatedAt);
      if (chance < 0.32) return deleted(rules, rule);
      return chance < 0.45 ? moved(random, rules, rule) : edited(rules, rule, updatedAt);
    },
  };
};

/** Whether the author of `later` had seen `value`, or a value that replaced it. */
const isBehind = (value: string, later: string, replacedBy: ReadonlyMap<string, string>): boolean => {
  for (let at: string | undefined = later; at !== undefined; at = replacedBy.get(at))
    if (at === value) return true;
  return false;
};

/**
 * The lost or restored edits as messages; empty when there are none. Of `failed` edits, which the server may have
 * saved nevertheless, none has to be there, and no rule may be added.
 */
export const complaints = (
  steps: readonly EditStep[],
  final: ReadonlyMap<string, Rule>,
  failed: readonly EditStep[] = [],
): readonly string[] => {
  const edits = steps.filter((step) => step.kind === "edit");
  const deletions = steps.filter((step) => step.kind === "delete");
  const possibleEdits = [...steps, ...failed].filter((step) => step.kind === "edit");
  const before = new Map(possibleEdits.map(({ value, replaced }) => [value, replaced]));
  const addedNevertheless = failed.flatMap((step) => {
    const isUsed = possibleEdits.some(({ id }) => id === step.id);
    return step.kind === "add" && final.has(step.id) && !isUsed ? [`${step.id} was added`] : [];
  });
  const sawAll = (seen: Rule): boolean =>
    possibleEdits
      .filter(({ id }) => id === seen.id)
      .every(({ part, value }) => isBehind(value, partOf(seen, part), before));
  const problems = steps.flatMap((step) => {
    if (step.kind !== "add") return [];
    const rule = final.get(step.id);
    const gone = deletions.filter(({ id }) => id === step.id);
    const mayBeGone = failed.some(({ kind, id }) => kind === "delete" && id === step.id);
    if (gone.length === 0 && !mayBeGone && !rule) return [`${step.id} was lost`];
    if (rule && gone.some((one) => sawAll(one.rule))) return [`${step.id} came back`];
    if (!rule || gone.length > 0) return [];
    return parts.flatMap((part) => {
      const value = partOf(rule, part);
      const undone = edits.find((edit) => edit.id === step.id && edit.replaced === value);
      const isKnown = value === partOf(step.rule, part) || before.has(value);
      return undone || !isKnown ? [`${step.id} has ${value}, which somebody had replaced`] : [];
    });
  });
  return [...addedNevertheless, ...problems];
};
