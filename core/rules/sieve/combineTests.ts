import * as E from "fp-ts/lib/Either.js";
import { isSameJson } from "../../kernel/sameJson.ts";
import { Condition } from "../model/condition.ts";
import { findOperatorChoice } from "../model/conditionField.ts";
import { type ConditionNode, isGroup } from "../model/conditionGroup.ts";
import type { Operator } from "../model/conditionOperator.ts";

/** True if two conditions compare the subject and the body in the same way. */
const isSameText = (one: ConditionNode, other: ConditionNode): boolean =>
  !isGroup(one) &&
  !isGroup(other) &&
  one.field === "subject" &&
  other.field === "body" &&
  one.operator === other.operator &&
  isSameJson(one.value, other.value);

/** The one condition that means the same as two on subject and body; null without one. */
const onText = (nodes: readonly ConditionNode[], isNegated: boolean): Condition | null => {
  const [one, other] = nodes;
  return nodes.length === 2 && one && other && isSameText(one, other) && !isGroup(one)
    ? one.operator.startsWith("not_") === isNegated
      ? { ...one, field: "text" }
      : null
    : null;
};

/** One of several conditions; subject or body is one field. */
export const anyOf = (nodes: readonly ConditionNode[]): ConditionNode => {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return only;
  return onText(nodes, false) ?? { match: "any", conditions: nodes };
};

/** The end of a range and its beginning, as the opposites of two comparisons. */
const range = (nodes: readonly ConditionNode[], field: string): Condition | null => {
  const [low, high] = nodes;
  if (nodes.length !== 2 || !low || !high || isGroup(low) || isGroup(high)) return null;
  const [below, above] = field === "size" ? ["less_than", "greater_than"] : ["before_date", "after_date"];
  if (low.field !== field || low.operator !== below || high.field !== field || high.operator !== above)
    return null;
  const decoded = Condition.decode({ field, operator: "between", value: [low.value, high.value] });
  return E.isRight(decoded) ? decoded.right : null;
};

const opposites: Readonly<Partial<Record<Operator, Operator>>> = {
  contains: "not_contains",
  equals: "not_in_list",
};

const opposite = (node: ConditionNode): ConditionNode | null => {
  const operator = isGroup(node) ? undefined : opposites[node.operator];
  if (isGroup(node) || operator === undefined || findOperatorChoice(node.field, operator) === undefined)
    return null;
  const value = typeof node.value === "string" ? [node.value] : node.value;
  return Array.isArray(node.value) || typeof node.value === "string" ? { ...node, operator, value } : null;
};

/** "not" before a test, and before "anyof" of several. */
export const negated = (nodes: readonly ConditionNode[]): ConditionNode => {
  const [only] = nodes;
  if (only === undefined || nodes.length > 1) return { match: "none", conditions: nodes };
  if (!isGroup(only)) return opposite(only) ?? { match: "none", conditions: nodes };
  if (only.match === "any")
    return range(only.conditions, "size") ?? { match: "none", conditions: only.conditions };
  return { match: "none", conditions: nodes };
};

/** "allof" of several; two dates that a mail is not before and not after are a range. */
export const allOf = (nodes: readonly ConditionNode[]): ConditionNode => {
  const excluded = nodes.flatMap((node) =>
    isGroup(node) && node.match === "none" && node.conditions.length === 1 ? node.conditions : [],
  );
  const dates = excluded.length === nodes.length ? range(excluded, "date") : null;
  return dates ?? onText(nodes, true) ?? { match: "all", conditions: nodes };
};
