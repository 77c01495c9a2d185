import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { such } from "../contract/text.ts";
import type { FieldError } from "../kernel/failure.ts";
import type { CompilePattern } from "../ports/patterns.ts";
import type { Condition } from "./condition.ts";
import { patternRefused } from "./pattern.ts";
import { Rule } from "./rule.ts";

/** How many rules a mask can have, and how many conditions with a regular expression in all of them. */
const mostRules = 100;
const mostPatterns = 20;

const tooManyRules = `A mask can have at most ${mostRules} rules. Remove one to add another.`;

export const isPattern = ({ operator }: Condition): boolean => operator === "matches_regex";

const patternsIn = (rules: readonly Rule[]): number =>
  rules.flatMap(({ conditions }) => conditions).filter(isPattern).length;

/** A mask's rules in their order, as they are sent and kept: within the limits, no id twice. */
export const RuleList: t.Type<readonly Rule[], unknown, unknown> = such(
  such(
    such(
      t.readonlyArray(Rule, "rules") as t.Type<readonly Rule[], unknown, unknown>,
      (rules) => rules.length <= mostRules,
      tooManyRules,
    ),
    (rules) => new Set(rules.map(({ id }) => id)).size === rules.length,
    "Two rules have the same id",
  ),
  (rules) => patternsIn(rules) <= mostPatterns,
  `A mask can have at most ${mostPatterns} conditions with a regular expression`,
);

/** What no codec sees: the regular expressions the engine does not take, a sentence each. Empty when all is well. */
export const patternErrors = (rules: readonly Rule[], compile: CompilePattern): readonly FieldError[] =>
  rules.flatMap(({ conditions }) =>
    conditions.flatMap((condition): readonly FieldError[] => {
      if (!isPattern(condition)) return [];
      const compiled = compile(String(condition.value));
      return E.isLeft(compiled)
        ? [{ field: "conditions.value", message: patternRefused(compiled.left) }]
        : [];
    }),
  );

/** The rules of a list that can be read, and how many cannot: one odd rule takes none of the others with it. */
export const readRules = (
  list: readonly unknown[],
): { readonly rules: readonly Rule[]; readonly unreadable: number } => {
  const rules = list.map(Rule.decode).flatMap((read) => (E.isRight(read) ? [read.right] : []));
  return { rules, unreadable: list.length - rules.length };
};
