import * as E from "fp-ts/lib/Either.js";
import type { CompilePattern } from "../ports/patterns.ts";
import type { Condition } from "../rules/condition.ts";
import type { ConditionField } from "../rules/conditionField.ts";
import type { ConditionValue } from "../rules/conditionValue.ts";
import { isNegative } from "../rules/operator.ts";
import { clocksOf, type MinuteOfDay, type TimeRange, withinTimes } from "../rules/timeRange.ts";
import type { Reason } from "./explanation.ts";
import { dateTest, numberTest } from "./numberTest.ts";
import { foldedText, type NumberField, numberSeen, rawText, type Seen, type TextField } from "./seen.ts";
import { patternTest, type TextTest, textTest } from "./textTest.ts";

/** A condition made ready to be asked of many mails. */
export interface ConditionTest {
  readonly condition: Condition;
  readonly matches: (seen: Seen) => boolean;
  readonly saw: (seen: Seen) => string | number | null;
  /** Why it can match nothing, or not this mail. */
  readonly why: (seen: Seen) => Reason | null;
}

/** As much of a text as an explanation shows. */
const shownCharacters = 200;

const nothingToSay = (): null => null;

/** A condition that no mail can meet: its value is not of its kind, or its expression cannot be run. */
const neverMet = (condition: Condition, why: Reason | null): ConditionTest => ({
  condition,
  matches: () => false,
  saw: nothingToSay,
  why: () => why,
});

const isText = (field: ConditionField): field is TextField => Object.hasOwn(foldedText, field);
const isNumber = (field: ConditionField): field is NumberField => Object.hasOwn(numberSeen, field);

const isTextValue = (value: ConditionValue): value is string | readonly string[] =>
  typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));

const isTimeRange = (value: ConditionValue): value is TimeRange =>
  typeof value === "object" && "timeZone" in value;

type Find = (seen: Seen) => boolean;

const foundIn =
  (read: (seen: Seen) => string | null, test: TextTest): Find =>
  (seen) => {
    const text = read(seen);
    return text !== null && test(text);
  };

const foundInEither =
  (one: Find, other: Find): Find =>
  (seen) =>
    one(seen) || other(seen);

const textCondition = (condition: Condition, compile: CompilePattern): ConditionTest => {
  const { field, operator, value } = condition;
  if (!isTextValue(value)) return neverMet(condition, null);
  const isPattern = operator === "matches_regex";
  const test: TextTest | null = isPattern
    ? patternTest(String(value), compile)
    : textTest(field, operator, value);
  if (test === null) return neverMet(condition, isPattern ? "pattern-refused" : null);
  const read = isPattern ? rawText : foldedText;
  const found = isText(field)
    ? foundIn(read[field], test)
    : foundInEither(foundIn(read.subject, test), foundIn(read.body, test));
  const raw = rawText[isText(field) ? field : "body"];
  return {
    condition,
    matches: isNegative(operator) ? (seen) => !found(seen) : found,
    saw: (seen) => {
      const text = isText(field) ? raw(seen) : `${rawText.subject(seen)}\n${raw(seen) ?? ""}`;
      return text === null ? null : text.slice(0, shownCharacters);
    },
    why: (seen) => (raw(seen) === null && field === "category" ? "no-category" : null),
  };
};

const numberCondition = (condition: Condition, field: NumberField): ConditionTest => {
  const test = numberTest(condition.operator, condition.value);
  if (test === null) return neverMet(condition, null);
  const saw = numberSeen[field];
  return {
    condition,
    matches: (seen) => {
      const number = saw(seen);
      return number !== null && test(number);
    },
    saw: (seen) => {
      const number = saw(seen);
      return number === null ? null : Math.round(number * 10) / 10;
    },
    why: (seen) => (saw(seen) === null ? "no-earlier-mail" : null),
  };
};

const dateCondition = (condition: Condition): ConditionTest => {
  const test = dateTest(condition.operator, condition.value);
  if (test === null) return neverMet(condition, null);
  return {
    condition,
    matches: ({ now }) => test(now),
    saw: ({ now }) => new Date(now).toISOString(),
    why: nothingToSay,
  };
};

const asClock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

const timeCondition = (condition: Condition): ConditionTest => {
  const { value } = condition;
  const clocks = isTimeRange(value) ? clocksOf(value.timeZone) : E.left("");
  if (!isTimeRange(value) || E.isLeft(clocks)) return neverMet(condition, null);
  const isWithin = withinTimes(value);
  const minuteAt: MinuteOfDay = clocks.right;
  return {
    condition,
    matches: ({ now }) => isWithin(minuteAt(now)),
    saw: ({ now }) => asClock(minuteAt(now)),
    why: nothingToSay,
  };
};

/** Makes a condition ready; one whose value does not fit, which no codec lets through, is met by no mail. */
export const conditionTest = (condition: Condition, compile: CompilePattern): ConditionTest => {
  const { field } = condition;
  if (field === "time") return timeCondition(condition);
  if (field === "date") return dateCondition(condition);
  return isNumber(field) ? numberCondition(condition, field) : textCondition(condition, compile);
};
