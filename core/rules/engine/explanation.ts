import type { RuleAction } from "../model/action.ts";
import type { ConditionNode } from "../model/conditionGroup.ts";
import type { RuleId } from "../model/rule.ts";
import type { AccountPlace } from "../model/rulePlace.ts";

/** The reason for which a rule was not evaluated, or a condition or an action had no effect. */
export type Reason =
  | "disabled"
  | "after-stop"
  | "after-block"
  | "text-unread"
  | "text-cut"
  | "no-earlier-mail"
  | "no-category"
  | "pattern-refused"
  | "no-header"
  | "no-attachment"
  | "no-label"
  | "not-checked"
  | "undecided"
  | "overruled-by-block"
  | "overruled-by-hold"
  | "unconfirmed"
  | "answered-already"
  | "no-sender"
  | "machine"
  | "own-address"
  | "not-addressed";

/** The reasons in words, for the test panel. */
export const reasonMessages: Readonly<Record<Reason, string>> = {
  disabled: "This rule is switched off.",
  "after-stop": "An earlier rule ends the list.",
  "after-block": "An earlier rule has blocked the email.",
  "text-unread": "The text of this email cannot be read.",
  "text-cut": "Rules look at the beginning of a long email only, and the rest may contain this.",
  "no-earlier-mail": "The mask has had no mail before.",
  "no-category": "The email has no category.",
  "pattern-refused": "This regular expression cannot be used.",
  "no-header": "The email has no such header.",
  "no-attachment": "The email has no attachment.",
  "no-label": "The mask has no label.",
  "not-checked": "The sender of this email was not checked.",
  undecided: "This email cannot be read in full, so the condition does not hold.",
  "overruled-by-hold": "The email is held, so it is neither archived nor answered.",
  "overruled-by-block": "The email is blocked, and nothing else is done with it.",
  unconfirmed: "This address has not confirmed that it wants mail.",
  "answered-already": "An earlier rule answers the email.",
  "no-sender": "There is no sender to answer.",
  machine: "The email comes from a list or a machine, which is not answered.",
  "own-address": "The sender is an address of this server, which is not answered.",
  "not-addressed": "The email is not addressed to this mask, so it is not answered.",
};

/** The result of one condition, or of a group of them. */
export interface ConditionExplanation {
  readonly condition: ConditionNode;
  /** The compared value, of a long text its beginning; null when the mail has none. */
  readonly actual: string | number | null;
  readonly matched: boolean;
  readonly reason: Reason | null;
  /** The results of what is in a group. */
  readonly parts: readonly ConditionExplanation[];
}

/** The result of one action; `done` is null when its rule does not apply. */
export interface ActionExplanation {
  readonly action: RuleAction;
  readonly done: boolean | null;
  readonly reason: Reason | null;
}

/** The result of one rule, in list order. */
export interface RuleExplanation {
  readonly ruleId: RuleId;
  readonly name: string;
  /** Absent for a rule of the mask itself. */
  readonly place?: AccountPlace;
  readonly outcome: "matched" | "not-matched" | "not-looked-at";
  readonly reason: Reason | null;
  readonly conditions: readonly ConditionExplanation[];
  readonly actions: readonly ActionExplanation[];
}
