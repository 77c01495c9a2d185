import type { Action } from "../rules/action.ts";
import type { Condition } from "../rules/condition.ts";
import type { RuleId } from "../rules/rule.ts";
import type { Decision } from "./decision.ts";

/** Why a rule was not looked at, or why a condition or an action came to nothing. */
export type Reason =
  | "disabled"
  | "after-stop"
  | "after-block"
  | "text-unread"
  | "no-earlier-mail"
  | "no-category"
  | "pattern-refused"
  | "overruled-by-block"
  | "unconfirmed"
  | "answered-already"
  | "no-sender"
  | "machine"
  | "own-address"
  | "not-addressed";

/** The reasons in words, for the test panel. */
export const reasonSentences: Readonly<Record<Reason, string>> = {
  disabled: "This rule is switched off.",
  "after-stop": "An earlier rule ends the list.",
  "after-block": "An earlier rule has blocked the mail.",
  "text-unread": "The text of this mail cannot be read.",
  "no-earlier-mail": "The mask has had no mail before.",
  "no-category": "The mail has no category.",
  "pattern-refused": "This regular expression cannot be used.",
  "overruled-by-block": "The mail is blocked, and nothing else is done with it.",
  unconfirmed: "This address has not confirmed that it wants mail.",
  "answered-already": "An earlier rule answers the mail.",
  "no-sender": "There is no sender to answer.",
  machine: "The mail comes from a list or a machine, which is not answered.",
  "own-address": "The sender is an address of ours, which is not answered.",
  "not-addressed": "The mail is not addressed to this mask, so it is not answered.",
};

/** One condition, and what it made of the mail. */
export interface ConditionExplanation {
  readonly condition: Condition;
  /** What it looked at; of a long text the beginning. null when there is nothing to look at. */
  readonly saw: string | number | null;
  readonly matched: boolean;
  readonly why: Reason | null;
}

/** One action, and whether it is carried out. `null`: its rule does not apply. */
export interface ActionExplanation {
  readonly action: Action;
  readonly done: boolean | null;
  readonly why: Reason | null;
}

/** One rule, in list order. */
export interface RuleExplanation {
  readonly ruleId: RuleId;
  readonly name: string;
  readonly outcome: "matched" | "not-matched" | "not-looked-at";
  readonly why: Reason | null;
  readonly conditions: readonly ConditionExplanation[];
  readonly actions: readonly ActionExplanation[];
}

/** What will happen to a mail, and why. */
export interface ExplainedDecision extends Decision {
  readonly explanation: readonly RuleExplanation[];
}
