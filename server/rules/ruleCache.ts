import type { CompilePattern } from "../../core/ports/patterns.ts";
import { type PreparedRules, prepareRules } from "../../core/rules/engine/evaluate.ts";
import { readRules } from "../../core/rules/model/ruleList.ts";

/** Stored form of an empty rule list. */
export const noRules = "[]";

/** Returns the prepared rules of a stored list. */
export type RuleCache = (stored: string) => PreparedRules;

/** About the number of masks that receive mail at the same time. */
const maxCachedLists = 500;

/** Creates a cache of prepared rules that keeps the most recently used lists. */
export const createRuleCache = (compile?: CompilePattern): RuleCache => {
  const cache = new Map<string, PreparedRules>();
  return (stored) => {
    const prepared =
      cache.get(stored) ?? prepareRules(readRules(JSON.parse(stored) as unknown[]).rules, compile);
    cache.delete(stored);
    cache.set(stored, prepared);
    const [oldest] = cache.keys();
    if (cache.size > maxCachedLists && oldest !== undefined) cache.delete(oldest);
    return prepared;
  };
};
