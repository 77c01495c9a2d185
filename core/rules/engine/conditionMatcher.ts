import * as E from "fp-ts/lib/Either.js";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { Condition } from "../model/condition.ts";
import type { ConditionField } from "../model/conditionField.ts";
import type { ConditionValue } from "../model/conditionValue.ts";
import { isNegative } from "../model/operator.ts";
import { createTimeMatcher, type MinuteOfDay, minuteOfDayIn, type TimeRange } from "../model/timeRange.ts";
import type { Reason } from "./explanation.ts";
import {
  type Facts,
  type NumberField,
  normalizedFields,
  numberFields,
  rawFields,
  type TextField,
} from "./facts.ts";
import {
  createDateMatcher,
  createNumberMatcher,
  createPatternMatcher,
  createTextMatcher,
  type TextMatcher,
} from "./valueMatchers.ts";

/** A condition prepared for matching many mails. */
export interface ConditionMatcher {
  readonly condition: Condition;
  readonly matches: (facts: Facts) => boolean;
  readonly readActual: (facts: Facts) => string | number | null;
  /** Why the condition cannot match any mail, or not this one. */
  readonly reason: (facts: Facts) => Reason | null;
}

/** The most characters of a text that an explanation shows. */
const maxShownCharacters = 200;

const noReason = (): null => null;

/**
 * Creates the matcher of a condition that no mail can meet, because its value has the wrong kind or its
 * expression cannot be run.
 */
const neverMatching = (condition: Condition, reason: Reason | null): ConditionMatcher => ({
  condition,
  matches: () => false,
  readActual: noReason,
  reason: () => reason,
});

const isText = (field: ConditionField): field is TextField => Object.hasOwn(normalizedFields, field);
const isNumber = (field: ConditionField): field is NumberField => Object.hasOwn(numberFields, field);

const isTextValue = (value: ConditionValue): value is string | readonly string[] =>
  typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));

const isTimeRange = (value: ConditionValue): value is TimeRange =>
  typeof value === "object" && "timeZone" in value;

type Matches = (facts: Facts) => boolean;

const foundIn =
  (read: (facts: Facts) => string | null, textMatches: TextMatcher): Matches =>
  (facts) => {
    const text = read(facts);
    return text !== null && textMatches(text);
  };

const foundInEither =
  (one: Matches, other: Matches): Matches =>
  (facts) =>
    one(facts) || other(facts);

const textCondition = (condition: Condition, compile: CompilePattern): ConditionMatcher => {
  const { field, operator, value } = condition;
  if (!isTextValue(value)) return neverMatching(condition, null);
  const isPattern = operator === "matches_regex";
  const textMatches: TextMatcher | null = isPattern
    ? createPatternMatcher(String(value), compile)
    : createTextMatcher(field, operator, value);
  if (textMatches === null) return neverMatching(condition, isPattern ? "pattern-refused" : null);
  const read = isPattern ? rawFields : normalizedFields;
  const found = isText(field)
    ? foundIn(read[field], textMatches)
    : foundInEither(foundIn(read.subject, textMatches), foundIn(read.body, textMatches));
  const raw = rawFields[isText(field) ? field : "body"];
  return {
    condition,
    matches: isNegative(operator) ? (facts) => !found(facts) : found,
    readActual: (facts) => {
      const text = isText(field) ? raw(facts) : `${rawFields.subject(facts)}\n${raw(facts) ?? ""}`;
      return text === null ? null : text.slice(0, maxShownCharacters);
    },
    reason: (facts) => (raw(facts) === null && field === "category" ? "no-category" : null),
  };
};

const numberCondition = (condition: Condition, field: NumberField): ConditionMatcher => {
  const numberMatches = createNumberMatcher(condition.operator, condition.value);
  if (numberMatches === null) return neverMatching(condition, null);
  const readNumber = numberFields[field];
  return {
    condition,
    matches: (facts) => {
      const number = readNumber(facts);
      return number !== null && numberMatches(number);
    },
    readActual: (facts) => {
      const number = readNumber(facts);
      return number === null ? null : Math.round(number * 10) / 10;
    },
    reason: (facts) => (readNumber(facts) === null ? "no-earlier-mail" : null),
  };
};

const dateCondition = (condition: Condition): ConditionMatcher => {
  const dateMatches = createDateMatcher(condition.operator, condition.value);
  if (dateMatches === null) return neverMatching(condition, null);
  return {
    condition,
    matches: ({ now }) => dateMatches(now),
    readActual: ({ now }) => new Date(now).toISOString(),
    reason: noReason,
  };
};

const formatMinute = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

const timeCondition = (condition: Condition): ConditionMatcher => {
  const { value } = condition;
  const clock = isTimeRange(value) ? minuteOfDayIn(value.timeZone) : E.left("");
  if (!isTimeRange(value) || E.isLeft(clock)) return neverMatching(condition, null);
  const isWithin = createTimeMatcher(value);
  const minuteAt: MinuteOfDay = clock.right;
  return {
    condition,
    matches: ({ now }) => isWithin(minuteAt(now)),
    readActual: ({ now }) => formatMinute(minuteAt(now)),
    reason: noReason,
  };
};

/** Prepares a condition; an invalid value, which the codecs reject, never matches. */
export const createConditionMatcher = (condition: Condition, compile: CompilePattern): ConditionMatcher => {
  const { field } = condition;
  if (field === "time") return timeCondition(condition);
  if (field === "date") return dateCondition(condition);
  return isNumber(field) ? numberCondition(condition, field) : textCondition(condition, compile);
};
