import * as E from "fp-ts/lib/Either.js";
import { dayMs } from "../../kernel/durations.ts";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { ConditionField } from "../model/conditionField.ts";
import type { ConditionValue } from "../model/conditionValue.ts";
import type { Operator } from "../model/operator.ts";
import { normalizeText } from "./facts.ts";

/** Whether a text meets a condition. */
export type TextMatcher = (text: string) => boolean;

const anyOf = (entries: readonly string[], createMatcher: (entry: string) => TextMatcher): TextMatcher => {
  const matchers = entries.map(createMatcher);
  const [only] = matchers;
  if (matchers.length === 1 && only) return only;
  return (text) => matchers.some((test) => test(text));
};

const containing =
  (entry: string): TextMatcher =>
  (text) =>
    text.includes(entry);

const startingWith =
  (entry: string): TextMatcher =>
  (text) =>
    text.trimStart().startsWith(entry);

const endingWith =
  (entry: string): TextMatcher =>
  (text) =>
    text.trimEnd().endsWith(entry);

/**
 * Matches an address whose domain is the entry or a subdomain of it: "example.org" matches example.org and
 * mail.example.org, but not notexample.org.
 */
const endingWithDomain = (entry: string): TextMatcher => {
  if (/[@]/.test(entry) || entry.startsWith(".")) return endingWith(entry);
  return (address) => {
    const before = address.length - entry.length - 1;
    return before >= 0 && address.endsWith(entry) && (address[before] === "@" || address[before] === ".");
  };
};

const equalTo = (entries: readonly string[]): TextMatcher => {
  const expected = new Set(entries.map((entry) => entry.trim()));
  return (text) => expected.has(text.trim());
};

const isAddress = (field: ConditionField): boolean => field === "sender" || field === "email";

/**
 * Creates the matcher of an operator on normalized text; entries are normalized here. For a negative
 * operator, it returns the matcher to negate. Null for other operators.
 */
export const createTextMatcher = (
  field: ConditionField,
  operator: Operator,
  value: string | readonly string[],
): TextMatcher | null => {
  const entries = [value].flat().map(normalizeText);
  switch (operator) {
    case "contains":
    case "not_contains":
      return anyOf(entries, containing);
    case "equals":
    case "in_list":
    case "not_in_list":
      return equalTo(entries);
    case "starts_with":
      return anyOf(
        entries.map((entry) => entry.trimStart()),
        startingWith,
      );
    case "ends_with":
      return anyOf(
        entries.map((entry) => entry.trimEnd()),
        isAddress(field) ? endingWithDomain : endingWith,
      );
    default:
      return null;
  }
};

/**
 * Creates the matcher of a regular expression on the original text; null when the engine refuses the
 * expression.
 */
export const createPatternMatcher = (pattern: string, compile: CompilePattern): TextMatcher | null => {
  const compiled = compile(pattern);
  return E.isRight(compiled) ? compiled.right : null;
};

/** Whether a number meets a condition. */
export type NumberMatcher = (actual: number) => boolean;

/**
 * Creates the matcher of an operator on numbers; `between` includes both bounds. Null for other operators.
 */
export const createNumberMatcher = (operator: Operator, value: ConditionValue): NumberMatcher | null => {
  const [from, to] = [value].flat().map(Number);
  if (from === undefined || Number.isNaN(from)) return null;
  switch (operator) {
    case "equals":
      return (actual) => actual === from;
    case "greater_than":
      return (actual) => actual > from;
    case "less_than":
      return (actual) => actual < from;
    case "between":
      return to === undefined ? null : (actual) => actual >= from && actual <= to;
    default:
      return null;
  }
};

/** Returns the first and the last millisecond of a day in UTC; both are the same for a point in time. */
const toTimeSpan = (text: string): { readonly start: number; readonly end: number } => {
  const start = Date.parse(text);
  return { start, end: text.length === 10 ? start + dayMs - 1 : start };
};

/**
 * Creates the matcher of an operator on dates; days are in UTC, and `between` includes both. Null for other
 * operators.
 */
export const createDateMatcher = (operator: Operator, value: ConditionValue): NumberMatcher | null => {
  const [from, to] = [value].flat().map((text) => toTimeSpan(String(text)));
  if (from === undefined) return null;
  switch (operator) {
    case "after_date":
      return (now) => now > from.end;
    case "before_date":
      return (now) => now < from.start;
    case "between":
      return to === undefined ? null : (now) => now >= from.start && now <= to.end;
    default:
      return null;
  }
};
