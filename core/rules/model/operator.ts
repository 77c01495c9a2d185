/** Every operator that a condition can have (RU4). */
export const operators = [
  "contains",
  "not_contains",
  "equals",
  "starts_with",
  "ends_with",
  "matches_regex",
  "in_list",
  "not_in_list",
  "greater_than",
  "less_than",
  "between",
  "after_date",
  "before_date",
  "during",
] as const;

export type Operator = (typeof operators)[number];

export const isOperator = (u: unknown): u is Operator => (operators as readonly unknown[]).includes(u);

/** Negative operators match when none of their entries does (D30). */
export const isNegative = (operator: Operator): boolean =>
  operator === "not_contains" || operator === "not_in_list";

/** The kind of value of a condition, which determines how it is typed, stored and decoded. */
export type ValueKind =
  /** Entries, typed with commas between them. */
  | "list"
  | "text"
  /** A regular expression. */
  | "pattern"
  | "number"
  | "numberRange"
  /** A day in UTC or a point in time, in ISO 8601. */
  | "date"
  | "dateRange"
  /** A part of the day in a time zone. */
  | "timeRange";

/** An operator with the labels and the value kind it has for a kind of field. */
export interface OperatorChoice {
  readonly operator: Operator;
  /** The label in the select. */
  readonly label: string;
  /** The words in a sentence, after the field: "subject contains …". */
  readonly phrase: string;
  readonly value: ValueKind;
}

const choice =
  (operator: Operator, label: string, phrase: string) =>
  (value: ValueKind): OperatorChoice => ({ operator, label, phrase, value });

/** Every operator choice; those that fit several value kinds are functions of the kind. */
export const choices = {
  contains: choice("contains", "contains", "contains")("list"),
  notContains: choice("not_contains", "does not contain", "does not contain")("list"),
  equals: choice("equals", "equals", "equals"),
  startsWith: choice("starts_with", "starts with", "starts with")("text"),
  endsWith: choice("ends_with", "ends with", "ends with")("text"),
  endsWithDomain: choice("ends_with", "ends with (domain)", "ends with")("text"),
  matches: choice("matches_regex", "matches regular expression", "matches")("pattern"),
  inList: choice("in_list", "is in list", "is one of")("list"),
  notInList: choice("not_in_list", "is not in list", "is none of")("list"),
  moreThan: choice("greater_than", "more than", "is more than")("number"),
  greaterThan: choice("greater_than", "greater than", "is greater than")("number"),
  lessThan: choice("less_than", "less than", "is less than")("number"),
  between: choice("between", "between", "is between"),
  after: choice("after_date", "after", "is after")("date"),
  before: choice("before_date", "before", "is before")("date"),
  during: choice("during", "during", "is between")("timeRange"),
} as const;
