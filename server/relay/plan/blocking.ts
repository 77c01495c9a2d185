import type { BlockReason } from "../../../core/masks/mailStatistics.ts";
import { blockedDecision, type Decision } from "../../../core/rules/engine/decision.ts";
import type { MailRoute } from "../../features/masks/mailRoute.ts";
import type { SenderList } from "../../features/senders/tables.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { SpamVerdict } from "../evaluate/spamFilter.ts";

/** What is known about a mail and its mask besides the rules. */
export interface Verdicts {
  /** The list of the mask that names the sender. */
  readonly listed: SenderList | null;
  /** Whether the sender is not among those who may write to the mask. */
  readonly isUnknown: boolean;
  /** Null when the sender was not checked. */
  readonly evidence: Evidence | null;
  readonly spam: SpamVerdict | null;
}

/** Ids in `Decision.block` when something other than a rule blocks a mail. */
export const switchedOffRuleId = "switched-off";
export const blockedSenderRuleId = "blocked-sender";
export const unknownSenderRuleId = "unknown-sender";
export const forgedSenderRuleId = "forged-sender";
export const undecidedSenderRuleId = "undecided-sender";
export const spamFilterRuleId = "spam-filter";

/** Whether mail of a mask that is off is dropped; the transaction has refused what is to be refused. */
const isDropped = ({ active, whenOff }: MailRoute): boolean => !active && whenOff !== "hold";

const highThreatScore = 8;

/** Why a mail is blocked by something other than a rule: the first reason of these counts. */
const blockingId = (
  { listed, isUnknown, evidence, spam }: Verdicts,
  { acceptUnproven, senderMode }: MailRoute,
): string | null => {
  if (listed === "block") return blockedSenderRuleId;
  if (isUnknown && senderMode !== "approve") return unknownSenderRuleId;
  if (evidence?.standing === "forged" && !acceptUnproven) return forgedSenderRuleId;
  if (evidence?.standing === "undecided" && !acceptUnproven) return undecidedSenderRuleId;
  return spam?.isSpam ? spamFilterRuleId : null;
};

/**
 * Drops mail of masks that are off and say so. Blocks mail of blocked and unknown senders, mail that is not from its From domain when that domain requests it and the
 * owner does not object, and spam. Such mail has no other effects. A block by a rule stays as it is.
 */
export const blockOthers = (decision: Decision, verdicts: Verdicts, route: MailRoute): Decision => {
  if (isDropped(route)) return blockedDecision({ how: "silent", ruleId: switchedOffRuleId });
  const ruleId = decision.block === null ? blockingId(verdicts, route) : null;
  return ruleId === null ? decision : blockedDecision({ how: "refuse", ruleId });
};

const spamReason = ({ score, reasons: [first] }: SpamVerdict): BlockReason => ({
  threatLevel: score >= highThreatScore ? "high" : "medium",
  reason: first === undefined ? "Spam filter" : `Spam filter: ${first}`,
});

/** Returns why a mail is blocked; null when it is not. */
export const blockReason = ({ block, applied }: Decision, spam: SpamVerdict | null): BlockReason | null => {
  if (block === null) return null;
  if (block.ruleId === switchedOffRuleId) return { threatLevel: "low", reason: "Switched off" };
  if (block.ruleId === blockedSenderRuleId) return { threatLevel: "low", reason: "Blocked sender" };
  if (block.ruleId === unknownSenderRuleId) return { threatLevel: "low", reason: "Unknown sender" };
  if (block.ruleId === forgedSenderRuleId) return { threatLevel: "high", reason: "Forged sender (DMARC)" };
  if (block.ruleId === undecidedSenderRuleId)
    return { threatLevel: "low", reason: "Sender cannot be checked yet (DMARC)" };
  if (spam?.isSpam && block.ruleId === spamFilterRuleId) return spamReason(spam);
  const rule = applied.find(({ id }) => id === block.ruleId);
  return { threatLevel: "low", reason: `Rule "${rule?.name ?? block.ruleId}"` };
};
