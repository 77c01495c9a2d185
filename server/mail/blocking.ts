import type { BlockReason } from "../../core/masks/mailStatistics.ts";
import { blockedDecision, type Decision } from "../../core/rules/engine/decision.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import type { Evidence } from "../proof/evidence.ts";
import type { SenderList } from "../store/heldTables.ts";
import type { SpamVerdict } from "./spamFilter.ts";

/** What is known about a mail and its mask besides the rules. */
export interface Verdicts {
  /** The list of the mask that names the sender. */
  readonly listed: SenderList | null;
  /** Null when the sender was not checked. */
  readonly evidence: Evidence | null;
  readonly spam: SpamVerdict | null;
}

/** Ids in `Decision.block` when something other than a rule blocks a mail. */
const blockedSenderRuleId = "blocked-sender";
export const forgedSenderRuleId = "forged-sender";
const spamFilterRuleId = "spam-filter";

const highThreatScore = 8;

/** Why a mail is blocked by something other than a rule: the first reason of these counts. */
const blockingId = ({ listed, evidence, spam }: Verdicts, { acceptUnproven }: MailRoute): string | null => {
  if (listed === "block") return blockedSenderRuleId;
  if (evidence?.standing === "forged" && !acceptUnproven) return forgedSenderRuleId;
  return spam?.isSpam ? spamFilterRuleId : null;
};

/**
 * Blocks mail of blocked senders, mail that is not from its From domain when that domain requests it and the
 * owner does not object, and spam. Such mail has no other effects. A block by a rule stays as it is.
 */
export const blockOthers = (decision: Decision, verdicts: Verdicts, route: MailRoute): Decision => {
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
  if (block.ruleId === blockedSenderRuleId) return { threatLevel: "low", reason: "Blocked sender" };
  if (block.ruleId === forgedSenderRuleId) return { threatLevel: "high", reason: "Forged sender (DMARC)" };
  if (spam?.isSpam && block.ruleId === spamFilterRuleId) return spamReason(spam);
  const rule = applied.find(({ id }) => id === block.ruleId);
  return { threatLevel: "low", reason: `Rule "${rule?.name ?? block.ruleId}"` };
};
