import { leftOutText } from "../../api/wireCodecs.ts";
import type { Mask, MaskId } from "../../masks/mask.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import { type AccountPlace, accountListId, allMasks, everyRule, placeOfList } from "../model/rulePlace.ts";
import { countsOfMask, type RuleCounts } from "./ruleCounts.ts";
import { countUnreadable, type MaskChoice, type RuleSource, toMaskChoice } from "./serverRules.ts";

/** The state of the user's masks, as far as rules need it. */
export interface MasksState {
  /** `stale` means that the masks come from the cache; `warning` says so. */
  readonly status: "loading" | "ready" | "stale" | "failed";
  readonly warning: string | null;
  readonly all: readonly Mask[];
}

/** The rules for all masks, one item for each list. */
export interface AccountRulesState {
  readonly status: MasksState["status"];
  readonly all: readonly RuleSource[];
}

/** A rule of the selected mask, with its statistics. */
export interface ShownRule {
  readonly rule: Rule;
  /** The rule differs from the server's version, so that only this device has it (RU3). */
  readonly isLocal: boolean;
  /** The number of times that the rule was applied; null while unknown. */
  readonly applied: number | null;
  /** The time at which it was applied last, in ISO 8601. */
  readonly lastApplied: string | null;
}

/** A list of rules as the tab shows it. */
export interface ShownList {
  /** The id of its mask, or of a list for all masks. */
  readonly id: string;
  readonly rules: readonly ShownRule[];
}

export interface RulesView {
  readonly status: MasksState["status"];
  /** The reason for which the rules may be outdated or missing. */
  readonly warning: string | null;
  readonly masks: readonly MaskChoice[];
  /**
   * The selected mask; the first one until the user selects another, "all" for the lists for all masks, "overview" for every
   * list, null without masks.
   */
  readonly maskId: MaskId | null;
  /** The list of the selected mask, those for all masks, or every one. */
  readonly lists: readonly ShownList[];
  /** The rules of these lists. */
  readonly rules: readonly ShownRule[];
  /** The rules for all masks, whatever is selected. */
  readonly allMasks: AllMasksView;
  /** Says how many rules of the mask could not be shown; empty for none. */
  readonly leftOut: string;
  /** The reason for which the statistics of the rules are missing; null when they are there or being loaded. */
  readonly detailsProblem: string | null;
}

/** The rules for all masks. */
export interface AllMasksView extends Readonly<Record<AccountPlace, readonly Rule[]>> {
  readonly status: MasksState["status"];
}

/** The messages of RU9. */
const loadFailedMessage = "Could not load rules";
const detailsFailedMessage = "Could not load rule details";

/** The rules of each list, with the changes that the server does not have yet. */
interface ListedRules {
  readonly shown: (listId: string) => readonly Rule[];
  readonly localIds: (listId: string) => ReadonlySet<RuleId>;
}

const toShownRule =
  (local: ReadonlySet<RuleId>, counts: RuleCounts | null) =>
  (rule: Rule): ShownRule => ({
    rule,
    isLocal: local.has(rule.id),
    applied: counts && (counts[rule.id]?.appliedCount ?? 0),
    lastApplied: counts?.[rule.id]?.lastApplied ?? null,
  });

/** The counts of each list: of a mask's as the list of masks says them, of those for all masks as they were fetched. */
const createCountsOf = (all: readonly Mask[], account: RuleCounts | null) => {
  const ofMasks = new Map(all.map((mask) => [mask.id, countsOfMask(mask)]));
  return (listId: string): RuleCounts | null =>
    placeOfList(listId) === null ? (ofMasks.get(listId) ?? null) : account;
};

/** Returns what the rules tab shows. */
export const toRulesView = (
  { shown, localIds }: ListedRules,
  { status, warning, all }: MasksState,
  account: AccountRulesState,
  selectedId: MaskId | null,
  fetched: RuleCounts | "failed" | null,
): RulesView => {
  const counts = fetched === "failed" ? null : fetched;
  const countRules = (mask: Mask): number =>
    localIds(mask.id).size > 0 ? shown(mask.id).length : (mask.settings?.rules?.length ?? 0);
  const isAll = selectedId === allMasks && all.length > 0;
  const isEvery = selectedId === everyRule && all.length > 0;
  const selected: readonly RuleSource[] = isEvery
    ? [...account.all, ...all]
    : isAll
      ? account.all
      : [all.find(({ id }) => id === selectedId) ?? all[0] ?? []].flat();
  const countsOf = isEvery ? createCountsOf(all, counts) : () => counts;
  const lists = selected.map(
    ({ id }): ShownList => ({ id, rules: shown(id).map(toShownRule(localIds(id), countsOf(id))) }),
  );
  return {
    status,
    warning: status === "failed" ? loadFailedMessage : warning,
    masks: all.map((mask) => toMaskChoice(mask, countRules(mask))),
    leftOut: leftOutText(
      selected.reduce((sum, source) => sum + countUnreadable(source), 0),
      "rule",
    ),
    maskId: isEvery ? everyRule : isAll ? allMasks : (selected[0]?.id ?? null),
    lists,
    rules: lists.flatMap(({ rules }) => rules),
    allMasks: {
      status: account.status,
      before: shown(accountListId("before")),
      after: shown(accountListId("after")),
    },
    detailsProblem: fetched === "failed" ? detailsFailedMessage : null,
  };
};
