import type { RuleAction } from "../model/action.ts";
import type { Condition } from "../model/condition.ts";
import type { Rule, RuleId } from "../model/rule.ts";
import { templateRuleId } from "../model/ruleId.ts";
import { maskOfList } from "../model/rulePlace.ts";
import type { RuleType } from "../model/ruleType.ts";

interface TemplateRule {
  readonly name: string;
  readonly type: RuleType;
  readonly conditions: readonly Condition[];
  readonly actions: readonly RuleAction[];
}

/** A set of rules that the user adds with one click (RU8). */
export interface RuleTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon: "shield" | "mail" | "briefcase" | "clock" | "plane";
  readonly rules: readonly TemplateRule[];
}

const subjectHas = (...words: readonly string[]): readonly Condition[] => [
  { field: "subject", operator: "contains", value: words },
];
const tagged = (tag: string): readonly RuleAction[] => [{ type: "tag", params: { tag } }];

export const ruleTemplates: readonly RuleTemplate[] = [
  {
    id: "shopping_template",
    name: "Shopping",
    description: "Blocks flash sales and tags order confirmations as Important.",
    icon: "shield",
    rules: [
      {
        name: "Block flash sales",
        type: "content_filter",
        conditions: subjectHas("flash sale", "limited time offer", "last chance", "today only"),
        actions: [{ type: "block", params: { silentBlock: true } }],
      },
      {
        name: "Tag order confirmations",
        type: "categorization",
        conditions: subjectHas("order confirmation", "order confirmed", "your order", "your receipt"),
        actions: tagged("Important"),
      },
    ],
  },
  {
    id: "professional_template",
    name: "Professional",
    description: "Tags mail from your professional network as Professional.",
    icon: "briefcase",
    rules: [
      {
        name: "Tag professional network",
        type: "domain_filter",
        conditions: [{ field: "sender", operator: "ends_with", value: "linkedin.com" }],
        actions: tagged("Professional"),
      },
    ],
  },
  {
    id: "travel_template",
    name: "Travel",
    description: "Tags confirmations and itineraries as Travel.",
    icon: "plane",
    rules: [
      {
        name: "Tag travel plans",
        type: "categorization",
        conditions: subjectHas("itinerary", "booking confirmation", "flight confirmation", "reservation"),
        actions: tagged("Travel"),
      },
    ],
  },
  {
    id: "trackers_template",
    name: "No trackers",
    description:
      "Removes tracking pixels and the marks of campaigns in links. For all of your masks: choose “All masks” above.",
    icon: "shield",
    rules: [
      {
        name: "Remove trackers",
        type: "content_filter",
        // Every mail has a size.
        conditions: [{ field: "size", operator: "greater_than", value: 0 }],
        actions: [{ type: "modify", params: { subjectPrefix: "", removeTrackers: true } }],
      },
    ],
  },
];

export const findTemplate = (id: string): RuleTemplate | undefined =>
  ruleTemplates.find((template) => template.id === id);

/** Creates the rules that a template adds to the list of a mask or of all masks. `now` is in milliseconds since 1970. */
export const createTemplateRules = (
  template: RuleTemplate,
  listId: string,
  now: number,
  taken: ReadonlySet<RuleId>,
): readonly Rule[] => {
  const at = new Date(now).toISOString();
  return template.rules.map((rule, index) => ({
    id: templateRuleId(now, index, taken),
    ...maskOfList(listId),
    ...rule,
    enabled: true,
    metadata: { template: template.id },
    createdAt: at,
    updatedAt: at,
  }));
};
