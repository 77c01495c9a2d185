import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { Condition, PartId } from "./condition.ts";

/** The combinations of a group's conditions. */
export const groupMatches = ["all", "any", "none"] as const;
export type GroupMatch = (typeof groupMatches)[number];

/** The choices in the editor. */
export const groupLabels: Readonly<Record<GroupMatch, string>> = {
  all: "All of these",
  any: "Any of these",
  none: "None of these",
};

/** Conditions that count as one: when all, any or none of them hold. */
export interface ConditionGroup {
  readonly id?: string;
  readonly match: GroupMatch;
  readonly conditions: readonly ConditionNode[];
}

/** A condition, or a group of them. */
export type ConditionNode = Condition | ConditionGroup;

/** The number of groups that may stand in each other. */
export const maxGroupDepth = 2;

/** True if a part of a rule, or of its draft, is a group. */
export const isGroup = <N extends object>(node: N): node is Extract<N, { readonly match: GroupMatch }> =>
  "match" in node;

/** Returns the conditions of a list, those in groups included. */
export const leavesOf = (nodes: readonly ConditionNode[]): readonly Condition[] =>
  nodes.flatMap((node) => (isGroup(node) ? leavesOf(node.conditions) : [node]));

const isRecord = (u: unknown): u is Readonly<Record<string, unknown>> => typeof u === "object" && u !== null;

const isMatch = (u: unknown): u is GroupMatch => (groupMatches as readonly unknown[]).includes(u);

const decodeGroup = (
  u: Readonly<Record<string, unknown>>,
  context: t.Context,
  depth: number,
): t.Validation<ConditionGroup> => {
  const { id, match, conditions } = u;
  if (!isMatch(match)) return t.failure(u, context, "Choose whether all, any or none of the conditions hold");
  if (depth > maxGroupDepth)
    return t.failure(u, context, `Groups can be at most ${maxGroupDepth} deep in each other`);
  const list = t.readonlyArray(nodeCodec(depth), "conditions");
  const decoded = list.validate(conditions, t.appendContext(context, "conditions", list));
  if (E.isLeft(decoded)) return decoded;
  if (decoded.right.length === 0) return t.failure(u, context, "A group needs a condition");
  return t.success({ ...(PartId.is(id) ? { id } : {}), match, conditions: decoded.right });
};

const nodeCodec = (depth: number): t.Type<ConditionNode, ConditionNode, unknown> => {
  const decode = (u: unknown, context: t.Context): t.Validation<ConditionNode> =>
    isRecord(u) && "match" in u ? decodeGroup(u, context, depth + 1) : Condition.validate(u, context);
  return new t.Type(
    "condition",
    (u): u is ConditionNode => E.isRight(decode(u, [])),
    decode,
    (node) => node,
  );
};

/** Decodes a condition, or a group with groups up to `maxGroupDepth` in each other. */
export const ConditionNode: t.Type<ConditionNode, ConditionNode, unknown> = nodeCodec(0);
