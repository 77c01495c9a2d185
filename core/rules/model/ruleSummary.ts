import type { ActionOf, RuleAction } from "./action.ts";
import { type Condition, conditionPhrase } from "./condition.ts";
import { fieldEntry, findOperatorChoice } from "./conditionField.ts";
import { type ConditionGroup, type ConditionNode, isGroup } from "./conditionGroup.ts";
import { isRange } from "./conditionOperator.ts";
import type { ConditionValue } from "./conditionValue.ts";
import { endsEvaluation, type Rule } from "./rule.ts";

/** A piece of the sentence that describes a rule: plain words, or a selection of the owner. */
export interface SummaryPart {
  readonly kind: "word" | "field" | "operator" | "value" | "action";
  readonly text: string;
}

const word = (text: string): SummaryPart => ({ kind: "word", text });
const value = (text: string): SummaryPart => ({ kind: "value", text });
const action = (text: string): SummaryPart => ({ kind: "action", text });

/** Joins the pieces with a word before the last one and commas between the others. */
const joinParts = (groups: readonly (readonly SummaryPart[])[], between: string): readonly SummaryPart[] =>
  groups.flatMap((group, n) => {
    if (n === 0) return group;
    return [word(n === groups.length - 1 ? between : ","), ...group];
  });

const describeValue = (chosen: ConditionValue, unit: string, between: string): readonly SummaryPart[] => {
  if (typeof chosen === "object" && "startTime" in chosen)
    return [
      ...joinParts([[value(chosen.startTime)], [value(chosen.endTime)]], "and"),
      word(`(${chosen.timeZone})`),
    ];
  const texts = (Array.isArray(chosen) ? chosen : [chosen]).map((one: string | number) =>
    value(`${one}${unit}`),
  );
  return joinParts(
    texts.map((text) => [text]),
    between,
  );
};

/** Describes a condition in pieces: "subject contains sale or offer". */
const conditionSummary = (condition: Condition): readonly SummaryPart[] => {
  const { field, operator, value: chosen } = condition;
  const { unit } = fieldEntry(field);
  const choice = findOperatorChoice(field, operator);
  const behind = unit === undefined ? "" : unit === "%" ? "%" : ` ${unit}`;
  return [
    { kind: "field", text: conditionPhrase(condition) },
    { kind: "operator", text: choice?.phrase ?? operator },
    ...describeValue(chosen, behind, choice && isRange(choice.value) ? "and" : "or"),
  ];
};

const groupWords: Readonly<Record<ConditionGroup["match"], readonly [before: string, between: string]>> = {
  all: ["all of (", "and"],
  any: ["any of (", "or"],
  none: ["none of (", "or"],
};

/** Describes a condition, or a group of them: "any of (subject contains sale or sender ends with example.org)". */
const nodeSummary = (node: ConditionNode): readonly SummaryPart[] => {
  if (!isGroup(node)) return conditionSummary(node);
  const [before, between] = groupWords[node.match];
  return [word(before), ...joinParts(node.conditions.map(nodeSummary), between), word(")")];
};

/** True if a space stands between a piece of a sentence and the one after it. */
export const isSpaced = (before: SummaryPart | undefined, after: SummaryPart): boolean =>
  before !== undefined && !before.text.endsWith("(") && !/^(?:,|\))$/.test(after.text);

const batchWords = ({ params: { immediate, daily } }: ActionOf<"forward">): readonly SummaryPart[] =>
  immediate ? [] : [word(daily ? "once a day" : "once an hour")];

/** Describes an action in pieces: "tag Important". */
const actionSummary = (one: RuleAction): readonly SummaryPart[] => {
  switch (one.type) {
    case "block":
      return [action(one.params.silentBlock ? "block silently" : "block")];
    case "hold":
      return [action("hold for my decision")];
    case "forward":
      return [action("forward to"), value(one.params.email), ...batchWords(one)];
    case "tag":
      return [action("tag"), value(one.params.tag)];
    case "notify":
      return [action("notify me"), ...(one.params.message === "" ? [] : [value(one.params.message)])];
    case "auto-reply":
      return [action("answer"), value(one.params.subject || one.params.message)];
    case "archive":
      return [action("archive"), ...(one.params.markAsRead ? [word("as read")] : [])];
    case "modify": {
      const { subjectPrefix, removeTrackers } = one.params;
      const prefix = [action("put"), value(subjectPrefix), word("in front of the subject")];
      const trackers = [action("remove trackers")];
      return joinParts(
        [...(subjectPrefix === "" ? [] : [prefix]), ...(removeTrackers ? [trackers] : [])],
        "and",
      );
    }
  }
};

/** Describes conditions in pieces, without the word before them: "subject contains sale and size is more than 5 KB". */
export const conditionsSummary = (nodes: readonly ConditionNode[]): readonly SummaryPart[] =>
  joinParts(nodes.map(nodeSummary), "and");

/** Describes actions in pieces: "block and notify me". */
export const actionsSummary = (actions: readonly RuleAction[]): readonly SummaryPart[] =>
  joinParts(actions.map(actionSummary), "and");

/** Joins the pieces to one text. */
export const summaryText = (parts: readonly SummaryPart[]): string =>
  parts.map((part, at) => `${isSpaced(parts[at - 1], part) ? " " : ""}${part.text}`).join("");

/** Describes a rule as one sentence in pieces: "If subject contains sale then tag Important". */
export const ruleSummary = (rule: Rule): readonly SummaryPart[] => [
  word("If"),
  ...conditionsSummary(rule.conditions),
  word("then"),
  ...actionsSummary(rule.actions),
  ...(endsEvaluation(rule) ? [word("and look at no further rule")] : []),
];
