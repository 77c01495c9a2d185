import type { BlockReason } from "../../../core/masks/mailStatistics.ts";
import { blockedDecision, type Decision, type Obstacle } from "../../../core/rules/engine/decision.ts";
import type { Evidence } from "../../proof/evidence.ts";
import type { SpamVerdict } from "../evaluate/spamFilter.ts";
import type { Verdict } from "../mailPart.ts";
import type { MailRoute } from "../mailRoute.ts";

/** The facts about a mail and its mask besides the rules. */
export interface Verdicts {
  /** The first opinion of a judge. */
  readonly verdict: Verdict | null;
  /** Null when the sender was not checked. */
  readonly evidence: Evidence | null;
  readonly spam: SpamVerdict | null;
}

/** True if mail of a mask that is off is dropped; the transaction has refused what is to be refused. */
const isDropped = ({ active, whenOff }: MailRoute): boolean => !active && whenOff !== "hold";

const highThreatScore = 8;

/** Returns the reason for which a mail is blocked by something other than a rule: the first of these counts. */
const obstacleTo = (
  { verdict, evidence, spam }: Verdicts,
  { acceptUnproven }: MailRoute,
): Obstacle | null => {
  if (verdict?.kind === "refuse") return verdict.by;
  if (evidence?.proof === "forged" && !acceptUnproven) return "forged-sender";
  if (evidence?.proof === "undecided" && !acceptUnproven) return "undecided-sender";
  return spam?.rating === "spam" ? "spam-filter" : null;
};

/**
 * Drops mail of masks that are off and say so. Blocks mail of blocked and unknown senders, mail that is not from its From domain when that domain requests it and the
 * owner does not object, and spam. Such mail has no other effects. A block by a rule stays as it is.
 */
export const blockOthers = (decision: Decision, verdicts: Verdicts, route: MailRoute): Decision => {
  if (isDropped(route)) return blockedDecision({ how: "silent", by: "switched-off" });
  const obstacle = decision.block === null ? obstacleTo(verdicts, route) : null;
  return obstacle === null ? decision : blockedDecision({ how: "refuse", by: obstacle });
};

const spamReason = (spam: SpamVerdict | null): BlockReason => {
  const [first] = spam?.reasons ?? [];
  return {
    threatLevel: spam !== null && spam.score >= highThreatScore ? "high" : "medium",
    reason: first === undefined ? "Spam filter" : `Spam filter: ${first}`,
  };
};

/** Returns why a mail is blocked; null when it is not. */
export const blockReason = ({ block, applied }: Decision, spam: SpamVerdict | null): BlockReason | null => {
  if (block === null) return null;
  switch (block.by) {
    case "switched-off":
      return { threatLevel: "low", reason: "Switched off" };
    case "blocked-sender":
      return { threatLevel: "low", reason: "Blocked sender" };
    case "unknown-sender":
      return { threatLevel: "low", reason: "Unknown sender" };
    case "forged-sender":
      return { threatLevel: "high", reason: "Forged sender (DMARC)" };
    case "undecided-sender":
      return { threatLevel: "low", reason: "Sender cannot be checked yet (DMARC)" };
    case "spam-filter":
      return spamReason(spam);
    case "rule": {
      const rule = applied.find(({ id }) => id === block.ruleId);
      return { threatLevel: "low", reason: `Rule "${rule?.name ?? block.ruleId}"` };
    }
    default:
      return block satisfies never;
  }
};
