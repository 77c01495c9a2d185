import type { BlockReason } from "../../core/masks/mailStatistics.ts";
import { type Decision, stopped } from "../../core/relay/decision.ts";
import type { SpamJudgement } from "../spam/spamFilter.ts";

/** In the place of the rule that blocks a mail. */
const byFilter = "spam-filter";

/** From which score on a mail is surely meant to deceive. */
const dangerousAt = 8;

/** What becomes of spam: its sender is told that it is refused, and nothing else happens. A silent block stays silent. */
export const stopSpam = (decision: Decision, spam: SpamJudgement | null): Decision =>
  !spam?.isSpam || decision.block !== null ? decision : stopped({ how: "refuse", ruleId: byFilter });

const reasonOf = ({ score, reasons: [first] }: SpamJudgement): BlockReason => ({
  threatLevel: score >= dangerousAt ? "high" : "medium",
  reason: first === undefined ? "Spam filter" : `Spam filter: ${first}`,
});

/** Why a mail is stopped, in words for its owner; null when it is not. */
export const blockReason = ({ block, applied }: Decision, spam: SpamJudgement | null): BlockReason | null => {
  if (block === null) return null;
  if (spam?.isSpam && block.ruleId === byFilter) return reasonOf(spam);
  const rule = applied.find(({ id }) => id === block.ruleId);
  return { threatLevel: "low", reason: `Rule "${rule?.name ?? block.ruleId}"` };
};
