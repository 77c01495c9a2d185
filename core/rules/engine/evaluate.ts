import * as E from "fp-ts/lib/Either.js";
import type { ParsedMail } from "../../mail/parsedMail.ts";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { Action } from "../model/action.ts";
import type { Condition } from "../model/condition.ts";
import { endsEvaluation, type Rule } from "../model/rule.ts";
import { isPattern } from "../model/ruleList.ts";
import { applyActions, defaultDecision, type EvaluationContext } from "./applyActions.ts";
import { type ConditionMatcher, createConditionMatcher } from "./conditionMatcher.ts";
import type { Decision } from "./decision.ts";
import type {
  ActionExplanation,
  ConditionExplanation,
  ExplainedDecision,
  Reason,
  RuleExplanation,
} from "./explanation.ts";
import { type AccountFacts, type Facts, type MaskFacts, toFacts } from "./facts.ts";

/** What must be available before a list of rules is evaluated. */
interface RuleRequirements {
  /** Whether the rules read the mail's text; otherwise its header is enough. */
  readonly text: boolean;
  /** Whether the rules need an engine for regular expressions. */
  readonly patterns: boolean;
  /** Whether the rules need the category from the classifier. */
  readonly category: boolean;
}

/** Whether a condition reads more than the header. */
const readsText = ({ field }: Condition): boolean => field === "body" || field === "text";

/** Returns the requirements of the enabled rules, which do not depend on any mail. */
export const getRequirements = (rules: readonly Rule[]): RuleRequirements => {
  const conditions = rules.filter(({ enabled }) => enabled).flatMap((rule) => rule.conditions);
  return {
    text: conditions.some(readsText),
    patterns: conditions.some(isPattern),
    category: conditions.some(({ field }) => field === "category"),
  };
};

/** A mask's rules, prepared once for evaluating many mails. */
export interface PreparedRules {
  readonly requirements: RuleRequirements;
  /** Returns the decision for a mail that arrives at `now` (milliseconds since 1970). */
  readonly decide: (context: EvaluationContext, now: number) => Decision;
  /** Returns the decision and the result of every condition. */
  readonly explain: (context: EvaluationContext, now: number) => ExplainedDecision;
}

interface RuleMatcher {
  readonly rule: Rule;
  readonly matchers: readonly ConditionMatcher[];
  readonly readsText: boolean;
  /** Why later rules are not evaluated when this one applies; null when they are. */
  readonly endReason: "after-stop" | "after-block" | null;
}

const findEndReason = (rule: Rule): RuleMatcher["endReason"] => {
  if (rule.actions.some(({ type }) => type === "block")) return "after-block";
  return endsEvaluation(rule) ? "after-stop" : null;
};

const createRuleMatcher =
  (compile: CompilePattern) =>
  (rule: Rule): RuleMatcher => ({
    rule,
    matchers: rule.enabled
      ? rule.conditions.map((condition) => createConditionMatcher(condition, compile))
      : [],
    readsText: rule.conditions.some(readsText),
    endReason: findEndReason(rule),
  });

const isTextMissing = ({ readsText }: RuleMatcher, { mail }: Facts): boolean =>
  readsText && mail.text === null;

const applies = (matcher: RuleMatcher, facts: Facts): boolean => {
  const { rule, matchers } = matcher;
  if (!rule.enabled || matchers.length === 0 || isTextMissing(matcher, facts)) return false;
  for (const conditionMatcher of matchers) if (!conditionMatcher.matches(facts)) return false;
  return true;
};

const findMatchingRules = (ruleMatchers: readonly RuleMatcher[], facts: Facts): readonly Rule[] => {
  const rules: Rule[] = [];
  for (const matcher of ruleMatchers) {
    if (!applies(matcher, facts)) continue;
    rules.push(matcher.rule);
    if (matcher.endReason !== null) break;
  }
  return rules;
};

const explainCondition = (
  { condition, matches, readActual, reason }: ConditionMatcher,
  facts: Facts,
): ConditionExplanation => ({
  condition,
  actual: readActual(facts),
  matched: matches(facts),
  reason: reason(facts),
});

const findSkipReason = (matcher: RuleMatcher, facts: Facts, endedBy: Reason | null): Reason | null => {
  if (endedBy !== null) return endedBy;
  if (!matcher.rule.enabled) return "disabled";
  return isTextMissing(matcher, facts) ? "text-unread" : null;
};

const explainActions = (
  rule: Rule,
  applied: boolean,
  skipped: ReadonlyMap<Action, Reason>,
): readonly ActionExplanation[] =>
  rule.actions.map((action) => ({
    action,
    done: applied ? !skipped.has(action) : null,
    reason: applied ? (skipped.get(action) ?? null) : null,
  }));

const explainRules = (
  ruleMatchers: readonly RuleMatcher[],
  facts: Facts,
  rules: readonly Rule[],
  skipped: ReadonlyMap<Action, Reason>,
): readonly RuleExplanation[] => {
  const last = rules.at(-1);
  const endIndex = ruleMatchers.findIndex(({ rule, endReason }) => rule === last && endReason !== null);
  return ruleMatchers.map((matcher, n) => {
    const { rule } = matcher;
    const endedBy = endIndex !== -1 && n > endIndex ? (ruleMatchers[endIndex]?.endReason ?? null) : null;
    const reason = findSkipReason(matcher, facts, endedBy);
    const matched = reason === null && rules.includes(rule);
    return {
      ruleId: rule.id,
      name: rule.name,
      outcome: reason !== null ? "not-looked-at" : matched ? "matched" : "not-matched",
      reason,
      conditions:
        reason !== null
          ? []
          : matcher.matchers.map((conditionMatcher) => explainCondition(conditionMatcher, facts)),
      actions: explainActions(rule, matched, skipped),
    };
  });
};

const refusePatterns: CompilePattern = () => E.left("nothing here runs regular expressions");

/**
 * Prepares rules: normalizes texts, compiles expressions and creates time zone formats, so that each mail
 * costs only comparisons. Without `compile`, conditions with a regular expression never match.
 */
export const prepareRules = (
  rules: readonly Rule[],
  compile: CompilePattern = refusePatterns,
): PreparedRules => {
  const ruleMatchers = rules.map(createRuleMatcher(compile));
  return {
    requirements: getRequirements(rules),
    decide: (context, now) => {
      const matching = findMatchingRules(ruleMatchers, toFacts(context.mail, context.mask, now));
      return matching.length === 0 ? defaultDecision(context.mask) : applyActions(matching, context).decision;
    },
    explain: (context, now) => {
      const facts = toFacts(context.mail, context.mask, now);
      const matching = findMatchingRules(ruleMatchers, facts);
      const { decision, skipped } = applyActions(matching, context);
      return { ...decision, explanation: explainRules(ruleMatchers, facts, matching, skipped) };
    },
  };
};

/**
 * Evaluates a mask's rules for one mail that arrives at `now` (milliseconds since 1970) and explains the
 * result (D30–D32). Returns a decision for every mail and every list. The relay and the test panel evaluate
 * rules with the same code; for many mails, call `prepareRules` once instead.
 */
export const evaluate = (
  mail: ParsedMail,
  mask: MaskFacts,
  rules: readonly Rule[],
  account: AccountFacts,
  now: number,
  compile?: CompilePattern,
): ExplainedDecision => prepareRules(rules, compile).explain({ mail, mask, account }, now);
