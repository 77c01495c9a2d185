import type { Action } from "./action.ts";
import type { Condition } from "./condition.ts";
import { fieldEntry, operatorChoice } from "./conditionField.ts";
import type { ConditionValue } from "./conditionValue.ts";
import { type Rule, stops } from "./rule.ts";

/** A piece of the sentence that says what a rule does: plain words, or what its owner chose. */
export interface SummaryPart {
  readonly kind: "word" | "field" | "operator" | "value" | "action";
  readonly text: string;
}

const word = (text: string): SummaryPart => ({ kind: "word", text });
const value = (text: string): SummaryPart => ({ kind: "value", text });
const action = (text: string): SummaryPart => ({ kind: "action", text });

/** The pieces with a word between the last two and commas between the others. */
const listed = (groups: readonly (readonly SummaryPart[])[], between: string): readonly SummaryPart[] =>
  groups.flatMap((group, n) => {
    if (n === 0) return group;
    return [word(n === groups.length - 1 ? between : ","), ...group];
  });

const values = (chosen: ConditionValue, unit: string, isRange: boolean): readonly SummaryPart[] => {
  if (typeof chosen === "object" && "startTime" in chosen)
    return [
      ...listed([[value(chosen.startTime)], [value(chosen.endTime)]], "and"),
      word(`(${chosen.timeZone})`),
    ];
  const texts = (Array.isArray(chosen) ? chosen : [chosen]).map((one: string | number) =>
    value(`${one}${unit}`),
  );
  return listed(
    texts.map((text) => [text]),
    isRange ? "and" : "or",
  );
};

/** "subject contains sale or offer", in pieces. */
const conditionSummary = ({ field, operator, value: chosen }: Condition): readonly SummaryPart[] => {
  const { phrase, unit } = fieldEntry(field);
  const behind = unit === undefined ? "" : unit === "%" ? "%" : ` ${unit}`;
  return [
    { kind: "field", text: phrase },
    { kind: "operator", text: operatorChoice(field, operator)?.phrase ?? operator },
    ...values(chosen, behind, operator === "between"),
  ];
};

/** "tag Important", in pieces. */
const actionSummary = (one: Action): readonly SummaryPart[] => {
  switch (one.type) {
    case "block":
      return [action(one.params.silentBlock ? "block silently" : "block")];
    case "forward":
      return [
        action("forward to"),
        value(one.params.email),
        ...(one.params.immediate ? [] : [word("once an hour")]),
      ];
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
      return listed(
        [...(subjectPrefix === "" ? [] : [prefix]), ...(removeTrackers ? [trackers] : [])],
        "and",
      );
    }
  }
};

/** What a rule does as one sentence in pieces: "If subject contains sale then tag Important". */
export const ruleSummary = (rule: Rule): readonly SummaryPart[] => [
  word("If"),
  ...listed(rule.conditions.map(conditionSummary), "and"),
  word("then"),
  ...listed(rule.actions.map(actionSummary), "and"),
  ...(stops(rule) ? [word("and look at no further rule")] : []),
];
