import { type ConditionNode, type GroupMatch, isGroup } from "../model/conditionGroup.ts";
import { type ConditionDraft, emptyCondition, isComplete, toConditionDraft } from "./conditionDraft.ts";

/** A group of conditions in the editor. */
export interface GroupDraft {
  /** Identifies the group in the editor. */
  readonly id: string;
  readonly match: GroupMatch;
  readonly conditions: readonly ConditionNodeDraft[];
}

export type ConditionNodeDraft = ConditionDraft | GroupDraft;

/** A draft of a rule, as far as its conditions. */
interface WithConditions {
  readonly conditions: readonly ConditionNodeDraft[];
}

/** Returns the conditions of a list in the editor, those in groups included. */
export const draftLeaves = (nodes: readonly ConditionNodeDraft[]): readonly ConditionDraft[] =>
  nodes.flatMap((node) => (isGroup(node) ? draftLeaves(node.conditions) : [node]));

const idsOf = (nodes: readonly ConditionNodeDraft[]): readonly string[] =>
  nodes.flatMap((node) => (isGroup(node) ? [node.id, ...idsOf(node.conditions)] : [node.id]));

/** Returns the number that the next of these ids has. */
const nextNumber = (ids: readonly string[], prefix: string): string => {
  const taken = new Set(ids);
  const free = Array.from({ length: ids.length + 1 }, (_, n) => `${prefix}_${n + 1}`);
  return free.find((id) => !taken.has(id)) ?? `${prefix}_${ids.length + 1}`;
};

/** Changes the node with this id, wherever it is; null removes it. */
const changeNode = (
  nodes: readonly ConditionNodeDraft[],
  id: string,
  change: (node: ConditionNodeDraft) => ConditionNodeDraft | null,
): readonly ConditionNodeDraft[] =>
  nodes.flatMap((node) => {
    if (node.id === id) return change(node) ?? [];
    return isGroup(node) ? { ...node, conditions: changeNode(node.conditions, id, change) } : node;
  });

/** Changes one condition; null removes it. */
export const changeCondition = <A extends WithConditions>(
  draft: A,
  id: string,
  change: (condition: ConditionDraft) => ConditionDraft | null,
): A => ({
  ...draft,
  conditions: changeNode(draft.conditions, id, (node) => (isGroup(node) ? node : change(node))),
});

/** Changes one group; null removes it with all that is in it. */
export const changeGroup = <A extends WithConditions>(
  draft: A,
  id: string,
  change: (group: GroupDraft) => GroupDraft | null,
): A => ({
  ...draft,
  conditions: changeNode(draft.conditions, id, (node) => (isGroup(node) ? change(node) : node)),
});

const withNode = <A extends WithConditions>(
  draft: A,
  node: ConditionNodeDraft,
  groupId: string | undefined,
): A =>
  groupId === undefined
    ? { ...draft, conditions: [...draft.conditions, node] }
    : changeGroup(draft, groupId, (group) => ({ ...group, conditions: [...group.conditions, node] }));

/** Adds an empty condition to the rule, or to one of its groups. */
export const withCondition = <A extends WithConditions>(draft: A, timeZone: string, groupId?: string): A =>
  withNode(draft, emptyCondition(nextNumber(idsOf(draft.conditions), "condition"), timeZone), groupId);

/** Adds a group of which any condition may hold, with one empty condition, to the rule or to a group. */
export const withGroup = <A extends WithConditions>(draft: A, timeZone: string, groupId?: string): A => {
  const ids = idsOf(draft.conditions);
  const conditions = [emptyCondition(nextNumber(ids, "condition"), timeZone)];
  return withNode(draft, { id: nextNumber(ids, "group"), match: "any", conditions }, groupId);
};

/** Returns the conditions without incomplete ones and without groups that have none (RU6). */
export const completeNodes = (nodes: readonly ConditionNodeDraft[]): readonly ConditionNodeDraft[] =>
  nodes.flatMap((node): readonly ConditionNodeDraft[] => {
    if (!isGroup(node)) return isComplete(node) ? [node] : [];
    const conditions = completeNodes(node.conditions);
    return conditions.length === 0 ? [] : [{ ...node, conditions }];
  });

/** Converts conditions and groups back to their drafts; `timeZone` is the initial one of conditions without one. */
export const toNodeDrafts = (
  nodes: readonly ConditionNode[],
  timeZone: string,
  place = "",
): readonly ConditionNodeDraft[] =>
  nodes.map((node, n) =>
    isGroup(node)
      ? {
          id: `group${place}_${n + 1}`,
          match: node.match,
          conditions: toNodeDrafts(node.conditions, timeZone, `${place}_${n + 1}`),
        }
      : toConditionDraft(node, `condition${place}_${n + 1}`, timeZone),
  );
