import { toSearchText } from "../../../core/kernel/searchText.ts";
import type { RulesView, ShownRule } from "../../../core/rules/editing/rulesView.ts";
import { accountListNames, placeOfList } from "../../../core/rules/model/rulePlace.ts";
import { ruleSummary, summaryText } from "../../../core/rules/model/ruleSummary.ts";
import type { RuleType } from "../../../core/rules/model/ruleType.ts";

/** A rule of the overview, and where it is. */
export interface OverviewRule extends ShownRule {
  /** Its list and its id, which together name it. */
  readonly key: string;
  readonly listId: string;
  /** The name of its mask, or of the list for all masks. */
  readonly place: string;
  /** The address of its mask; empty for a list for all masks. */
  readonly address: string;
}

/** The filters that narrow the overview. */
export interface OverviewFilter {
  readonly text: string;
  /** The id of a list; empty for all. */
  readonly listId: string;
  readonly type: RuleType | "";
  readonly state: "all" | "on" | "off";
}

export const noFilter: OverviewFilter = { text: "", listId: "", type: "", state: "all" };

/** Returns the name of a list. */
export const nameOfList = (
  { masks }: { readonly masks: readonly Pick<RulesView["masks"][number], "id" | "description">[] },
  listId: string,
): string => {
  const place = placeOfList(listId);
  return place === null
    ? (masks.find(({ id }) => id === listId)?.description ?? "A mask")
    : accountListNames[place];
};

/** Returns all rules of all lists in the order in which they are listed. */
export const overviewRules = ({
  lists,
  masks,
}: Pick<RulesView, "lists" | "masks">): readonly OverviewRule[] => {
  const choices = new Map(masks.map((mask) => [mask.id, mask]));
  return lists.flatMap(({ id, rules }) => {
    const account = placeOfList(id);
    const mask = choices.get(id);
    const place = account === null ? (mask?.description ?? "A mask") : accountListNames[account];
    return rules.map((shown) => ({
      ...shown,
      key: `${id} ${shown.rule.id}`,
      listId: id,
      place,
      address: mask?.maskEmail ?? "",
    }));
  });
};

/** Returns the rules that have all words of the text in their name, their sentence or their mask, and fit the rest. */
export const filterRules = (
  all: readonly OverviewRule[],
  { text, listId, type, state }: OverviewFilter,
): readonly OverviewRule[] => {
  const words = toSearchText(text).split(/\s+/).filter(Boolean);
  return all.filter(({ rule, listId: list, place, address }) => {
    if (listId !== "" && list !== listId) return false;
    if (type !== "" && rule.type !== type) return false;
    if (state !== "all" && rule.enabled !== (state === "on")) return false;
    if (words.length === 0) return true;
    const searched = toSearchText([rule.name, summaryText(ruleSummary(rule)), place, address].join(" "));
    return words.every((word) => searched.includes(word));
  });
};
