import type { Condition } from "../model/condition.ts";
import { toConditionDraft } from "./conditionDraft.ts";
import { emptyRuleDraft, type RuleDraft, withAction } from "./ruleDraft.ts";

/** The sender of a mail, as a screen shows it: an address, or where only that is known a domain. */
export interface ShownSender {
  readonly address: string;
  /** Empty when there is none. */
  readonly name?: string;
}

const maxNameLength = 100;

const isAddress = ({ address }: ShownSender): boolean => address.includes("@");

const conditionOn = (sender: ShownSender): Condition =>
  isAddress(sender)
    ? { field: "sender", operator: "equals", value: sender.address }
    : { field: "sender", operator: "ends_with", value: sender.address };

/** Creates the draft of a rule for the mail of a sender, in which only the action is missing. */
export const senderRuleDraft = (sender: ShownSender, timeZone: string): RuleDraft =>
  withAction({
    ...emptyRuleDraft,
    name: `Mail from ${sender.name || sender.address}`.slice(0, maxNameLength),
    type: isAddress(sender) ? "sender_filter" : "domain_filter",
    conditions: [toConditionDraft(conditionOn(sender), "condition_1", timeZone)],
  });
