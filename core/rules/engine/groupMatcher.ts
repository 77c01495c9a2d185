import type { CompilePattern } from "../../ports/patterns.ts";
import { type ConditionGroup, type ConditionNode, isGroup } from "../model/conditionGroup.ts";
import { createConditionMatcher } from "./conditionMatcher.ts";
import type { ConditionExplanation, Reason } from "./explanation.ts";
import type { ComparedMail } from "./facts.ts";
import type { ConditionMatcher } from "./fieldMatcher.ts";

/** A condition or a group prepared for matching many mails. */
export interface NodeMatcher {
  readonly matches: (mail: ComparedMail) => boolean;
  /** True if nothing can be said about this mail, so that the opposite does not hold either. */
  readonly isUnknown: (mail: ComparedMail) => boolean;
  readonly explain: (mail: ComparedMail) => ConditionExplanation;
}

const leafMatcher = ({
  condition,
  matches,
  isUnknown,
  readActual,
  reason,
}: ConditionMatcher): NodeMatcher => ({
  matches,
  isUnknown,
  explain: (mail) => ({
    condition,
    actual: readActual(mail),
    matched: matches(mail),
    reason: reason(mail),
    parts: [],
  }),
});

type Compare = Pick<NodeMatcher, "matches" | "isUnknown">;

/** Combines conditions that may be unknown (Kleene): "none" holds only where each condition certainly does not. */
const combine = (match: ConditionGroup["match"], parts: readonly NodeMatcher[]): Compare => {
  const holds = (mail: ComparedMail) => (part: NodeMatcher) => part.matches(mail);
  const fails = (mail: ComparedMail) => (part: NodeMatcher) => !part.matches(mail) && !part.isUnknown(mail);
  const unknown = (mail: ComparedMail): boolean => parts.some((part) => part.isUnknown(mail));
  switch (match) {
    case "all":
      return {
        matches: (mail) => parts.every(holds(mail)),
        isUnknown: (mail) => unknown(mail) && !parts.some(fails(mail)),
      };
    case "any":
      return {
        matches: (mail) => parts.some(holds(mail)),
        isUnknown: (mail) => unknown(mail) && !parts.some(holds(mail)),
      };
    case "none":
      return {
        matches: (mail) => parts.every(fails(mail)),
        isUnknown: (mail) => unknown(mail) && !parts.some(holds(mail)),
      };
  }
};

const undecided: Reason = "undecided";

const groupMatcher = (condition: ConditionGroup, parts: readonly NodeMatcher[]): NodeMatcher => {
  const { matches, isUnknown } = combine(condition.match, parts);
  return {
    matches,
    isUnknown,
    explain: (mail) => ({
      condition,
      actual: null,
      matched: matches(mail),
      reason: isUnknown(mail) ? undecided : null,
      parts: parts.map((part) => part.explain(mail)),
    }),
  };
};

/** Prepares a condition, or a group and all that is in it. */
export const createNodeMatcher = (node: ConditionNode, compile: CompilePattern): NodeMatcher =>
  isGroup(node)
    ? groupMatcher(
        node,
        node.conditions.map((one) => createNodeMatcher(one, compile)),
      )
    : leafMatcher(createConditionMatcher(node, compile));
