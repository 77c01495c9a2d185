import { toSearchText } from "../../kernel/searchText.ts";
import type { Condition } from "./condition.ts";
import type { ConditionField } from "./conditionField.ts";
import { type ConditionNode, isGroup } from "./conditionGroup.ts";
import type { ConditionValue } from "./conditionValue.ts";
import type { Rule } from "./rule.ts";

/** The field whose values are labels of masks. */
export const labelField: ConditionField = "maskLabel";

/** Another name for a label. */
export interface LabelRenaming {
  readonly from: string;
  readonly to: string;
}

/** True if both name one label: case and accents do not tell labels apart. */
export const isSameLabel = (one: string, other: string): boolean => toSearchText(one) === toSearchText(other);

/** Renames a label in a value; in a list that has the new name too it then stands once. */
const renameInValue = (value: ConditionValue, { from, to }: LabelRenaming): ConditionValue => {
  if (typeof value === "string") return isSameLabel(value, from) ? to : value;
  if (!Array.isArray(value)) return value;
  const labels = value.filter((one) => typeof one === "string");
  const at = labels.findIndex((label) => isSameLabel(label, from));
  if (at < 0 || labels.length < value.length) return value;
  return labels.flatMap((label, n) => {
    if (n === at) return [to];
    return isSameLabel(label, from) || isSameLabel(label, to) ? [] : [label];
  });
};

const renameInCondition = (condition: Condition, renaming: LabelRenaming): Condition => {
  if (condition.field !== labelField) return condition;
  const value = renameInValue(condition.value, renaming);
  return value === condition.value ? condition : { ...condition, value };
};

const renameInNodes = (
  nodes: readonly ConditionNode[],
  renaming: LabelRenaming,
): readonly ConditionNode[] => {
  const renamed = nodes.map((node) => {
    if (!isGroup(node)) return renameInCondition(node, renaming);
    const conditions = renameInNodes(node.conditions, renaming);
    return conditions === node.conditions ? node : { ...node, conditions };
  });
  return renamed.some((node, n) => node !== nodes[n]) ? renamed : nodes;
};

/** Renames a label in the conditions of a rule; returns the same rule when it does not name the label. */
export const renameLabelInRule = (rule: Rule, renaming: LabelRenaming): Rule => {
  const conditions = renameInNodes(rule.conditions, renaming);
  return conditions === rule.conditions ? rule : { ...rule, conditions };
};
