import type { RuleId } from "./rule.ts";

const randomParts = 1_000;

/** Creates an unused id `rule_{timestamp}_{0-999}` (RU3). `now` is in milliseconds, `fraction` is in [0, 1). */
export const newRuleId = (now: number, fraction: number, taken: ReadonlySet<RuleId>): RuleId => {
  const idAt = (step: number): RuleId => {
    const part = (Math.floor(fraction * randomParts) + step) % randomParts;
    const id = `rule_${now + Math.floor(step / randomParts)}_${part}`;
    return taken.has(id) ? idAt(step + 1) : id;
  };
  return idAt(0);
};

/** Creates the unused id of a template's rule, `rule_{timestamp}_{index+1000}` (RU3). */
export const templateRuleId = (now: number, index: number, taken: ReadonlySet<RuleId>): RuleId => {
  const id = `rule_${now}_${index + randomParts}`;
  return taken.has(id) ? templateRuleId(now + 1, index, taken) : id;
};

const idIn = (u: unknown): unknown => (typeof u === "object" && u !== null && "id" in u ? u.id : undefined);
const hasId = (u: unknown): boolean => typeof idIn(u) === "string" && idIn(u) !== "";

/** Gives an id to every rule of a list that has none; a value that is no list is returned unchanged. */
export const withIds = (list: unknown, now: number, fraction: () => number): unknown => {
  if (!Array.isArray(list)) return list;
  const taken = new Set(list.map(idIn).filter((id) => typeof id === "string"));
  return list.map((u: unknown) => {
    if (hasId(u) || typeof u !== "object" || u === null) return u;
    const id = newRuleId(now, fraction(), taken);
    taken.add(id);
    return { ...u, id };
  });
};
