import * as E from "fp-ts/lib/Either.js";
import { dayMs } from "../../kernel/durations.ts";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { Operator } from "../model/conditionOperator.ts";
import type { ConditionValue } from "../model/conditionValue.ts";
import { normalizeText } from "./facts.ts";

/** True if a text meets a condition. */
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

/** Matches an address at the entry's domain or a subdomain: "example.org" does not match notexample.org. */
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

/** A test of texts; a negated one holds when no text of the mail matches. */
export interface TextTest {
  readonly matches: TextMatcher;
  readonly isNegated: boolean;
}

const any = (matches: TextMatcher): TextTest => ({ matches, isNegated: false });
const none = (matches: TextMatcher): TextTest => ({ matches, isNegated: true });

/**
 * Creates the test of an operator on normalized text; entries are normalized here. The end of an address is compared by
 * domain. Null for operators that do not compare text.
 */
export const createTextMatcher = (
  operator: Operator,
  value: string | readonly string[],
  isAddress: boolean,
): TextTest | null => {
  const entries = [value].flat().map(normalizeText);
  switch (operator) {
    case "contains":
      return any(anyOf(entries, containing));
    case "not_contains":
      return none(anyOf(entries, containing));
    case "equals":
    case "in_list":
      return any(equalTo(entries));
    case "not_in_list":
      return none(equalTo(entries));
    case "starts_with": {
      const starts = entries.map((entry) => entry.trimStart());
      return any(anyOf(starts, startingWith));
    }
    case "ends_with": {
      const ends = entries.map((entry) => entry.trimEnd());
      return any(anyOf(ends, isAddress ? endingWithDomain : endingWith));
    }
    case "matches_regex":
    case "greater_than":
    case "less_than":
    case "between":
    case "after_date":
    case "before_date":
    case "during":
      return null;
  }
};

/** Creates the test of a regular expression on the original text; null when the engine refuses the expression. */
export const createPatternMatcher = (pattern: string, compile: CompilePattern): TextTest | null => {
  const compiled = compile(pattern);
  return E.isRight(compiled) ? any(compiled.right) : null;
};

/** True if a number meets a condition. */
export type NumberMatcher = (actual: number) => boolean;

/** Creates the matcher of an operator on numbers; `between` includes both bounds. Null for other operators. */
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
    case "contains":
    case "not_contains":
    case "starts_with":
    case "ends_with":
    case "matches_regex":
    case "in_list":
    case "not_in_list":
    case "after_date":
    case "before_date":
    case "during":
      return null;
  }
};

/** Returns the first and the last millisecond of a day in UTC; both are the same for a point in time. */
const toTimeSpan = (text: string): { readonly start: number; readonly end: number } => {
  const start = Date.parse(text);
  return { start, end: text.length === 10 ? start + dayMs - 1 : start };
};

/** Creates the matcher of an operator on dates (days in UTC, `between` includes both); null for other operators. */
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
    case "contains":
    case "not_contains":
    case "equals":
    case "starts_with":
    case "ends_with":
    case "matches_regex":
    case "in_list":
    case "not_in_list":
    case "greater_than":
    case "less_than":
    case "during":
      return null;
  }
};
