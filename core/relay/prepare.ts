import * as E from "fp-ts/lib/Either.js";
import type { CompilePattern } from "../ports/patterns.ts";
import type { Action } from "../rules/action.ts";
import { type Rule, stops } from "../rules/rule.ts";
import { type Circumstances, carryOut, plainDecision } from "./carryOut.ts";
import { type ConditionTest, conditionTest } from "./conditionTest.ts";
import type { Decision } from "./decision.ts";
import type {
  ActionExplanation,
  ConditionExplanation,
  ExplainedDecision,
  Reason,
  RuleExplanation,
} from "./explanation.ts";
import { looksAtText, type Needs, needs } from "./needs.ts";
import { type Seen, seenOf } from "./seen.ts";

/** A mask's rules made ready, once, to be asked of many mails. */
export interface PreparedRules {
  readonly needs: Needs;
  /** What will happen to a mail that arrives `now` (milliseconds since 1970). */
  readonly decide: (circumstances: Circumstances, now: number) => Decision;
  /** The same, with what every condition made of the mail. */
  readonly explain: (circumstances: Circumstances, now: number) => ExplainedDecision;
}

interface RuleTest {
  readonly rule: Rule;
  readonly tests: readonly ConditionTest[];
  readonly needsText: boolean;
  /** No rule behind it is looked at where it applies. */
  readonly ends: "after-stop" | "after-block" | null;
}

const endOf = (rule: Rule): RuleTest["ends"] => {
  if (rule.actions.some(({ type }) => type === "block")) return "after-block";
  return stops(rule) ? "after-stop" : null;
};

const ruleTest =
  (compile: CompilePattern) =>
  (rule: Rule): RuleTest => ({
    rule,
    tests: rule.enabled ? rule.conditions.map((condition) => conditionTest(condition, compile)) : [],
    needsText: rule.conditions.some(looksAtText),
    ends: endOf(rule),
  });

const isUnread = ({ needsText }: RuleTest, { message }: Seen): boolean => needsText && message.text === null;

const applies = (one: RuleTest, seen: Seen): boolean => {
  const { rule, tests } = one;
  if (!rule.enabled || tests.length === 0 || isUnread(one, seen)) return false;
  for (const test of tests) if (!test.matches(seen)) return false;
  return true;
};

const applying = (tests: readonly RuleTest[], seen: Seen): readonly Rule[] => {
  const rules: Rule[] = [];
  for (const one of tests) {
    if (!applies(one, seen)) continue;
    rules.push(one.rule);
    if (one.ends !== null) break;
  }
  return rules;
};

const explained = ({ condition, matches, saw, why }: ConditionTest, seen: Seen): ConditionExplanation => ({
  condition,
  saw: saw(seen),
  matched: matches(seen),
  why: why(seen),
});

const notLookedAt = (one: RuleTest, seen: Seen, ended: Reason | null): Reason | null => {
  if (ended !== null) return ended;
  if (!one.rule.enabled) return "disabled";
  return isUnread(one, seen) ? "text-unread" : null;
};

const actionsOf = (
  rule: Rule,
  applied: boolean,
  held: ReadonlyMap<Action, Reason>,
): readonly ActionExplanation[] =>
  rule.actions.map((action) => ({
    action,
    done: applied ? !held.has(action) : null,
    why: applied ? (held.get(action) ?? null) : null,
  }));

const explanationOf = (
  tests: readonly RuleTest[],
  seen: Seen,
  rules: readonly Rule[],
  held: ReadonlyMap<Action, Reason>,
): readonly RuleExplanation[] => {
  const last = rules.at(-1);
  const ender = tests.findIndex(({ rule, ends }) => rule === last && ends !== null);
  return tests.map((one, n) => {
    const { rule } = one;
    const ended = ender !== -1 && n > ender ? (tests[ender]?.ends ?? null) : null;
    const why = notLookedAt(one, seen, ended);
    const matched = why === null && rules.includes(rule);
    return {
      ruleId: rule.id,
      name: rule.name,
      outcome: why !== null ? "not-looked-at" : matched ? "matched" : "not-matched",
      why,
      conditions: why !== null ? [] : one.tests.map((test) => explained(test, seen)),
      actions: actionsOf(rule, matched, held),
    };
  });
};

const noPatterns: CompilePattern = () => E.left("nothing here runs regular expressions");

/**
 * Makes rules ready: texts folded, expressions compiled, clocks found, so that a mail costs only its comparisons.
 * Without `compile`, conditions with a regular expression are met by no mail.
 */
export const prepare = (rules: readonly Rule[], compile: CompilePattern = noPatterns): PreparedRules => {
  const tests = rules.map(ruleTest(compile));
  return {
    needs: needs(rules),
    decide: (circumstances, now) => {
      const matching = applying(tests, seenOf(circumstances.message, circumstances.mask, now));
      return matching.length === 0
        ? plainDecision(circumstances.mask)
        : carryOut(matching, circumstances).decision;
    },
    explain: (circumstances, now) => {
      const seen = seenOf(circumstances.message, circumstances.mask, now);
      const matching = applying(tests, seen);
      const { decision, held } = carryOut(matching, circumstances);
      return { ...decision, explanation: explanationOf(tests, seen, matching, held) };
    },
  };
};
