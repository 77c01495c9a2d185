import * as E from "fp-ts/lib/Either.js";
import type { ParsedMail } from "../../mail/parsedMail.ts";
import type { CompilePattern } from "../../ports/patterns.ts";
import type { RuleAction } from "../model/action.ts";
import type { Condition } from "../model/condition.ts";
import { type FieldSource, fieldEntry } from "../model/conditionField.ts";
import { leavesOf } from "../model/conditionGroup.ts";
import { endsEvaluation, type Rule } from "../model/rule.ts";
import { isPattern } from "../model/ruleList.ts";
import type { AccountPlace, RuleLists } from "../model/rulePlace.ts";
import { applyActions, type PlacedRule } from "./applyActions.ts";
import { type Decision, deliverTo } from "./decision.ts";
import type { ActionExplanation, Reason, RuleExplanation } from "./explanation.ts";
import { type ComparedMail, type Facts, toComparedMail } from "./facts.ts";
import { createNodeMatcher, type NodeMatcher } from "./groupMatcher.ts";

/** The data that must be available before a list of rules is evaluated. */
interface RuleRequirements {
  readonly sources: ReadonlySet<FieldSource>;
  readonly patterns: boolean;
}

const sourceOf = ({ field }: Condition): FieldSource => fieldEntry(field).source;

/** True if values of these sources come from the content of a mail, not from its header. */
export const needsContent = (sources: ReadonlySet<FieldSource>): boolean =>
  sources.has("text") || sources.has("attachments");

const readsContent = (condition: Condition): boolean => needsContent(new Set([sourceOf(condition)]));

/** Returns the requirements of the enabled rules, which do not depend on any mail. */
export const getRequirements = (rules: readonly Rule[]): RuleRequirements => {
  const conditions = rules.filter(({ enabled }) => enabled).flatMap((rule) => leavesOf(rule.conditions));
  return { sources: new Set(conditions.map(sourceOf)), patterns: conditions.some(isPattern) };
};

interface RuleMatcher {
  readonly rule: PlacedRule;
  readonly matchers: readonly NodeMatcher[];
  readonly readsContent: boolean;
  /** The reason for which later rules are not evaluated when this one applies; null when they are. */
  readonly endReason: "after-stop" | "after-block" | null;
}

/** A list of rules, prepared once for evaluating many mails. */
export interface PreparedRules {
  readonly requirements: RuleRequirements;
  readonly matchers: readonly RuleMatcher[];
}

/** The decision of the rules about a mail, and the values that an explanation of it starts from. */
export interface Evaluation {
  readonly decision: Decision;
  readonly rules: PreparedRules;
  /** The mail as it was compared; null when it could not be read. */
  readonly compared: ComparedMail | null;
  readonly matching: readonly PlacedRule[];
  /** Actions of matching rules that have no effect. */
  readonly skipped: ReadonlyMap<RuleAction, Reason>;
}

const findEndReason = (rule: Rule): RuleMatcher["endReason"] => {
  if (rule.actions.some(({ type }) => type === "block")) return "after-block";
  return endsEvaluation(rule) ? "after-stop" : null;
};

const createRuleMatcher =
  (compile: CompilePattern) =>
  (rule: PlacedRule): RuleMatcher => ({
    rule,
    matchers: rule.enabled ? rule.conditions.map((condition) => createNodeMatcher(condition, compile)) : [],
    readsContent: leavesOf(rule.conditions).some(readsContent),
    endReason: findEndReason(rule),
  });

const refusePatterns: CompilePattern = () => E.left("nothing here runs regular expressions");

/**
 * Prepares rules: normalizes texts, compiles expressions and creates time zone formats, so that each mail
 * costs only comparisons. Without `compile`, conditions with a regular expression never match. `place` is that of
 * rules for all masks.
 */
export const prepareRules = (
  rules: readonly Rule[],
  compile: CompilePattern = refusePatterns,
  place?: AccountPlace,
): PreparedRules => ({
  requirements: getRequirements(rules),
  matchers: rules
    .map((rule): PlacedRule => (place ? { ...rule, place } : rule))
    .map(createRuleMatcher(compile)),
});

/** Puts the lists that decide about a mail together: a rule that ends the evaluation ends it for all of them. */
export const joinRules = ({ before, mask, after }: RuleLists<PreparedRules>): PreparedRules => {
  const lists = [before, mask, after].filter(({ matchers }) => matchers.length > 0);
  const [only] = lists;
  if (lists.length === 1 && only) return only;
  return {
    requirements: {
      sources: new Set(lists.flatMap(({ requirements }) => [...requirements.sources])),
      patterns: lists.some(({ requirements }) => requirements.patterns),
    },
    matchers: lists.flatMap(({ matchers }) => matchers),
  };
};

const isTextMissing = ({ readsContent }: RuleMatcher, { mail }: ComparedMail): boolean =>
  readsContent && mail.text === null;

const applies = (matcher: RuleMatcher, mail: ComparedMail): boolean => {
  const { rule, matchers } = matcher;
  if (!rule.enabled || matchers.length === 0 || isTextMissing(matcher, mail)) return false;
  for (const conditionMatcher of matchers) if (!conditionMatcher.matches(mail)) return false;
  return true;
};

const findMatchingRules = (
  ruleMatchers: readonly RuleMatcher[],
  mail: ComparedMail,
): readonly PlacedRule[] => {
  const rules: PlacedRule[] = [];
  for (const matcher of ruleMatchers) {
    if (!applies(matcher, mail)) continue;
    rules.push(matcher.rule);
    if (matcher.endReason !== null) break;
  }
  return rules;
};

const nothingSkipped: ReadonlyMap<RuleAction, Reason> = new Map();

/**
 * Evaluates the rules of a mask, or all that decide about its mail, for one mail (D30–D32). Returns a decision for every mail and every list; a mail that
 * no rule matches, or that could not be read (null), goes to the mask's forward-to address. The relay, its worker
 * threads and the test panel all decide with this function.
 */
export const evaluate = (rules: PreparedRules, mail: ParsedMail | null, facts: Facts): Evaluation => {
  const compared = mail === null || rules.matchers.length === 0 ? null : toComparedMail(mail, facts);
  const matching = compared === null ? [] : findMatchingRules(rules.matchers, compared);
  const { decision, skipped } =
    mail === null || matching.length === 0
      ? { decision: deliverTo([facts.mask.forwardTo]), skipped: nothingSkipped }
      : applyActions(matching, mail, facts);
  return { decision, rules, compared, matching, skipped };
};

const findSkipReason = (matcher: RuleMatcher, mail: ComparedMail, endedBy: Reason | null): Reason | null => {
  if (endedBy !== null) return endedBy;
  if (!matcher.rule.enabled) return "disabled";
  return isTextMissing(matcher, mail) ? "text-unread" : null;
};

const explainActions = (
  rule: Rule,
  applied: boolean,
  skipped: ReadonlyMap<RuleAction, Reason>,
): readonly ActionExplanation[] =>
  rule.actions.map((action) => ({
    action,
    done: applied ? !skipped.has(action) : null,
    reason: applied ? (skipped.get(action) ?? null) : null,
  }));

/** Returns the result of every rule and condition in list order, with the value that each condition compared. */
export const explain = ({
  rules: { matchers },
  compared,
  matching,
  skipped,
}: Evaluation): readonly RuleExplanation[] => {
  if (compared === null) return [];
  const last = matching.at(-1);
  const endIndex = matchers.findIndex(({ rule, endReason }) => rule === last && endReason !== null);
  return matchers.map((matcher, n) => {
    const { rule } = matcher;
    const endedBy = endIndex !== -1 && n > endIndex ? (matchers[endIndex]?.endReason ?? null) : null;
    const reason = findSkipReason(matcher, compared, endedBy);
    const matched = reason === null && matching.includes(rule);
    return {
      ruleId: rule.id,
      name: rule.name,
      ...(rule.place && { place: rule.place }),
      outcome: reason !== null ? "not-looked-at" : matched ? "matched" : "not-matched",
      reason,
      conditions: reason !== null ? [] : matcher.matchers.map((one) => one.explain(compared)),
      actions: explainActions(rule, matched, skipped),
    };
  });
};
