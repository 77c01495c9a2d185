import type { CompilePattern } from "../../../core/ports/patterns.ts";
import { joinRules, type PreparedRules, prepareRules } from "../../../core/rules/engine/evaluate.ts";
import { readRules } from "../../../core/rules/model/ruleList.ts";
import type { AccountPlace, RuleLists } from "../../../core/rules/model/rulePlace.ts";

/** Stored form of an empty rule list. */
export const noRules = "[]";

/** True if a list has a rule. */
export const hasRules = ({ before, mask, after }: RuleLists<string>): boolean =>
  mask !== noRules || before !== noRules || after !== noRules;

/** Returns the prepared rules of stored lists as one. */
type RuleCache = (stored: RuleLists<string>) => PreparedRules;

/** About the number of masks that receive mail at the same time. */
const maxCachedLists = 500;

const createListCache = (
  compile?: CompilePattern,
  place?: AccountPlace,
): ((stored: string) => PreparedRules) => {
  const cache = new Map<string, PreparedRules>();
  return (stored) => {
    const prepared =
      cache.get(stored) ?? prepareRules(readRules(JSON.parse(stored) as unknown[]).rules, compile, place);
    cache.delete(stored);
    cache.set(stored, prepared);
    const [oldest] = cache.keys();
    if (cache.size > maxCachedLists && oldest !== undefined) cache.delete(oldest);
    return prepared;
  };
};

/** Creates a cache of prepared rules that keeps the most recently used lists; another text is another list. */
export const createRuleCache = (compile?: CompilePattern): RuleCache => {
  const ofMask = createListCache(compile);
  const before = createListCache(compile, "before");
  const after = createListCache(compile, "after");
  const joined = new WeakMap<
    PreparedRules,
    { readonly lists: RuleLists<PreparedRules>; readonly rules: PreparedRules }
  >();
  return (stored) => {
    if (stored.before === noRules && stored.after === noRules) return ofMask(stored.mask);
    const lists = { before: before(stored.before), mask: ofMask(stored.mask), after: after(stored.after) };
    const known = joined.get(lists.mask);
    if (known?.lists.before === lists.before && known.lists.after === lists.after) return known.rules;
    const rules = joinRules(lists);
    joined.set(lists.mask, { lists, rules });
    return rules;
  };
};
