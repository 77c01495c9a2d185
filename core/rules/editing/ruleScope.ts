import { isGroup } from "../model/conditionGroup.ts";
import { isSameLabel, labelField } from "../model/renameLabel.ts";
import type { Rule } from "../model/rule.ts";
import { accountListId } from "../model/rulePlace.ts";
import { validConditions } from "./checkRuleDraft.ts";
import { toConditionDraft } from "./conditionDraft.ts";
import type { RuleDraft } from "./ruleDraft.ts";

const labelPrefix = "label:";

/** Returns the scope of a rule for the masks with a label; every other scope is the id of a list. */
export const labelScope = (label: string): string => labelPrefix + label;

const labelOf = (scope: string): string | null =>
  scope.startsWith(labelPrefix) ? scope.slice(labelPrefix.length) : null;

/** Returns the list that a rule of a scope is added to: that of a label is asked before the rules of each mask. */
export const listOfScope = (scope: string): string =>
  labelOf(scope) === null ? scope : accountListId("before");

/** Returns the draft with what limits it to the masks of its scope; one without a condition of its own stays incomplete. */
export const withScope = (draft: RuleDraft, scope: string, timeZone: string): RuleDraft => {
  const label = labelOf(scope);
  if (label === null || validConditions(draft).length === 0) return draft;
  const limit = { field: labelField, operator: "equals", value: label } as const;
  return { ...draft, conditions: [toConditionDraft(limit, "scope", timeZone), ...draft.conditions] };
};

/** Returns the label to whose masks a rule is limited; undefined for a rule that is not. */
const limitOfRule = ({ conditions }: Rule): string | undefined =>
  conditions.flatMap((node) =>
    !isGroup(node) &&
    node.field === labelField &&
    node.operator === "equals" &&
    typeof node.value === "string"
      ? [node.value]
      : [],
  )[0];

/** Returns those of the rules for all masks that are on and concern a mask with these labels. */
export const rulesForLabels = (rules: readonly Rule[], labels: readonly string[]): readonly Rule[] =>
  rules.filter((rule) => {
    const limit = limitOfRule(rule);
    return rule.enabled && (limit === undefined || labels.some((label) => isSameLabel(label, limit)));
  });
