import type { Condition } from "../rules/condition.ts";
import type { Rule } from "../rules/rule.ts";
import { isPattern } from "../rules/ruleList.ts";

/** What must be there before a list of rules is asked about a mail. */
export interface Needs {
  /** The mail's text; else its header is enough. */
  readonly text: boolean;
  /** Something that compiles regular expressions. */
  readonly patterns: boolean;
  /** The classifier's word. */
  readonly category: boolean;
}

/** Whether a condition looks at more than the header. */
export const looksAtText = ({ field }: Condition): boolean => field === "body" || field === "text";

/** What these rules need; rules that are switched off need nothing. Known before any mail is read. */
export const needs = (rules: readonly Rule[]): Needs => {
  const conditions = rules.filter(({ enabled }) => enabled).flatMap((rule) => rule.conditions);
  return {
    text: conditions.some(looksAtText),
    patterns: conditions.some(isPattern),
    category: conditions.some(({ field }) => field === "category"),
  };
};
