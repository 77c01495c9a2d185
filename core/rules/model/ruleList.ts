import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { refined } from "../../api/textCodecs.ts";
import { givenFields, idText } from "../../api/wireCodecs.ts";
import type { FieldError } from "../../kernel/failure.ts";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { Condition } from "./condition.ts";
import { leavesOf } from "./conditionGroup.ts";
import { isPatternOperator } from "./conditionOperator.ts";
import { patternRefusedMessage } from "./conditionValue.ts";
import { Rule } from "./rule.ts";

interface ListLimits {
  /** The owner of the list, at the beginning of a sentence. */
  readonly owner: string;
  readonly maxRules: number;
  /** The most conditions with a regular expression in all of them. */
  readonly maxPatterns: number;
}

/** True if a condition compares with a regular expression. */
export const isPattern = ({ operator }: Pick<Condition, "operator">): boolean => isPatternOperator(operator);

const countPatterns = (rules: readonly Rule[]): number =>
  rules.flatMap(({ conditions }) => leavesOf(conditions)).filter(isPattern).length;

const ruleList = ({ owner, maxRules, maxPatterns }: ListLimits): t.Type<readonly Rule[], unknown, unknown> =>
  refined(
    refined(
      refined(
        t.readonlyArray(Rule, "rules") as t.Type<readonly Rule[], unknown, unknown>,
        (rules) => rules.length <= maxRules,
        `${owner} can have at most ${maxRules} rules. Remove one to add another.`,
      ),
      (rules) => new Set(rules.map(({ id }) => id)).size === rules.length,
      "Two rules have the same id",
    ),
    (rules) => countPatterns(rules) <= maxPatterns,
    `${owner} can have at most ${maxPatterns} conditions with a regular expression`,
  );

/** Decodes a mask's rules in their order: within the limits, and with unique ids. */
export const RuleList = ruleList({ owner: "A mask", maxRules: 100, maxPatterns: 20 });

const accountListLimits = { maxRules: 50, maxPatterns: 10 };

/** Decodes the rules that stand before or after those of every mask; every mail is compared with them. */
export const AccountRuleList = ruleList({ owner: "Each list for all masks", ...accountListLimits });

/** Returns an error for every regular expression that the engine refuses, which the codec does not check. */
export const patternErrors = (rules: readonly Rule[], compile: CompilePattern): readonly FieldError[] =>
  rules.flatMap(({ conditions }) =>
    leavesOf(conditions).flatMap((condition): readonly FieldError[] => {
      if (!isPattern(condition)) return [];
      const compiled = compile(String(condition.value));
      return E.isLeft(compiled)
        ? [{ field: "conditions.value", message: patternRefusedMessage(compiled.left) }]
        : [];
    }),
  );

/** Reads an entry of a list; on another server a rule may have nulls, and no id: then it is named by its place. */
const readRule = (entry: unknown, at: number): t.Validation<Rule> => {
  const read = Rule.decode(entry);
  if (E.isRight(read)) return read;
  const { id = `rule_0_${at}`, maskId, ...given } = givenFields(entry);
  return Rule.decode({
    ...given,
    id: idText(id),
    ...(maskId === undefined ? {} : { maskId: idText(maskId) }),
  });
};

/** Returns the readable rules of a list and the number of others, so that one invalid rule does not hide the rest. */
export const readRules = (
  list: readonly unknown[],
): { readonly rules: readonly Rule[]; readonly unreadable: number } => {
  const rules = list.map(readRule).flatMap((read) => (E.isRight(read) ? [read.right] : []));
  return { rules, unreadable: list.length - rules.length };
};

/**
 * Returns the rules with the entries of `list` that cannot be read, each at its old place, so that a save does not
 * delete what this version of the app does not know.
 */
export const withUnreadable = (list: readonly unknown[], rules: readonly Rule[]): readonly unknown[] =>
  list.reduce<readonly unknown[]>(
    (all, entry, at) => (E.isRight(readRule(entry, at)) ? all : all.toSpliced(at, 0, entry)),
    rules,
  );
