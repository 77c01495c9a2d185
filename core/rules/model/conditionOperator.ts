/** The kind of value of a condition, which determines how it is typed, stored and decoded. */
export type ValueKind =
  /** Entries, typed with commas between them. */
  | "list"
  | "text"
  | "pattern"
  | "number"
  | "numberRange"
  /** A day in UTC or a point in time, in ISO 8601. */
  | "date"
  | "dateRange"
  /** A part of the day in a time zone. */
  | "timeRange";

const ranges: Readonly<Record<ValueKind, boolean>> = {
  list: false,
  text: false,
  pattern: false,
  number: false,
  numberRange: true,
  date: false,
  dateRange: true,
  timeRange: true,
};

/** True if a value of this kind has two ends, which are typed separately. */
export const isRange = (kind: ValueKind): boolean => ranges[kind];

interface Choice {
  readonly operator: string;
  readonly label: string;
  /** The words in a sentence, after the field: "subject contains …". */
  readonly phrase: string;
  readonly value: ValueKind;
}

const equals = { operator: "equals", label: "equals", phrase: "equals" } as const;
const between = { operator: "between", label: "between", phrase: "is between" } as const;

/**
 * Every operator with the labels and the value kind that it has for a kind of field (RU4). An operator is added
 * here, to the kinds of field that it fits (conditionField.ts) and to their matchers.
 */
export const choices = {
  contains: { operator: "contains", label: "contains", phrase: "contains", value: "list" },
  notContains: {
    operator: "not_contains",
    label: "does not contain",
    phrase: "does not contain",
    value: "list",
  },
  equalsText: { ...equals, value: "text" },
  equalsNumber: { ...equals, value: "number" },
  startsWith: { operator: "starts_with", label: "starts with", phrase: "starts with", value: "text" },
  endsWith: { operator: "ends_with", label: "ends with", phrase: "ends with", value: "text" },
  endsWithDomain: { operator: "ends_with", label: "ends with (domain)", phrase: "ends with", value: "text" },
  matches: {
    operator: "matches_regex",
    label: "matches regular expression",
    phrase: "matches",
    value: "pattern",
  },
  inList: { operator: "in_list", label: "is in list", phrase: "is one of", value: "list" },
  notInList: { operator: "not_in_list", label: "is not in list", phrase: "is none of", value: "list" },
  moreThan: { operator: "greater_than", label: "more than", phrase: "is more than", value: "number" },
  greaterThan: {
    operator: "greater_than",
    label: "greater than",
    phrase: "is greater than",
    value: "number",
  },
  lessThan: { operator: "less_than", label: "less than", phrase: "is less than", value: "number" },
  betweenNumbers: { ...between, value: "numberRange" },
  betweenDates: { ...between, value: "dateRange" },
  after: { operator: "after_date", label: "after", phrase: "is after", value: "date" },
  before: { operator: "before_date", label: "before", phrase: "is before", value: "date" },
  during: { operator: "during", label: "during", phrase: "is between", value: "timeRange" },
} as const satisfies Readonly<Record<string, Choice>>;

/** The comparison of a condition: of the value of its field with its own (RU4). */
export type Operator = (typeof choices)[keyof typeof choices]["operator"];

/** An operator with the labels and the value kind it has for a kind of field. */
export interface OperatorChoice extends Choice {
  readonly operator: Operator;
}

/** Every operator that a condition can have. */
export const operators: readonly Operator[] = [
  ...new Set(Object.values(choices).map(({ operator }) => operator)),
];

export const isOperator = (u: unknown): u is Operator => (operators as readonly unknown[]).includes(u);

/** True if an operator compares with a regular expression. */
export const isPatternOperator = (operator: Operator | ""): boolean => operator === "matches_regex";
