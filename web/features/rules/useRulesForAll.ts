import { rulesForLabels } from "../../../core/rules/editing/ruleScope.ts";
import type { RulesView } from "../../../core/rules/editing/rulesView.ts";
import type { AccountPlace } from "../../../core/rules/model/rulePlace.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";

interface RulesForAll extends Readonly<Record<AccountPlace, number>> {
  /** False until the rules for all masks are loaded. */
  readonly isKnown: boolean;
  /** "2 rules for all masks apply"; empty without any. */
  readonly text: string;
}

/** Returns how many rules for all masks are on and concern a mask, before and after the rules of its own. */
export const useRulesForAll = (
  { status, before, after }: RulesView["allMasks"],
  maskId: string | null,
): RulesForAll => {
  const { all } = useObservable(useSignedIn().masks.view$);
  const labels = all.find(({ id }) => id === maskId)?.labels ?? [];
  const counts = {
    before: rulesForLabels(before, labels).length,
    after: rulesForLabels(after, labels).length,
  };
  const count = counts.before + counts.after;
  const text = count === 1 ? "1 rule for all masks applies" : `${count} rules for all masks apply`;
  return {
    ...counts,
    isKnown: status === "ready" || status === "stale",
    text: count === 0 ? "" : text,
  };
};
