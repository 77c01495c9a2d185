import { dayMs } from "../kernel/durations.ts";
import type { ConditionValue } from "../rules/conditionValue.ts";
import type { Operator } from "../rules/operator.ts";

/** Whether a number is what a condition wants. */
export type NumberTest = (seen: number) => boolean;

/** What an operator on numbers wants, its bounds included where it is `between`; null: it is no such operator. */
export const numberTest = (operator: Operator, value: ConditionValue): NumberTest | null => {
  const [from, to] = [value].flat().map(Number);
  if (from === undefined || Number.isNaN(from)) return null;
  switch (operator) {
    case "equals":
      return (seen) => seen === from;
    case "greater_than":
      return (seen) => seen > from;
    case "less_than":
      return (seen) => seen < from;
    case "between":
      return to === undefined ? null : (seen) => seen >= from && seen <= to;
    default:
      return null;
  }
};

/** The first and the last millisecond of a day in UTC, or a moment twice. */
const spanOf = (text: string): { readonly start: number; readonly end: number } => {
  const start = Date.parse(text);
  return { start, end: text.length === 10 ? start + dayMs - 1 : start };
};

/** What an operator on dates wants of a moment; days are UTC's, `between` includes both. null: it is no such operator. */
export const dateTest = (operator: Operator, value: ConditionValue): NumberTest | null => {
  const [from, to] = [value].flat().map((text) => spanOf(String(text)));
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
