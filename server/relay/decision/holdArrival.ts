import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { Decision } from "../../../core/rules/engine/decision.ts";
import type { OutgoingCopy } from "../../delivery/outgoingCopy.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { summarize } from "../../mime/mailSummary.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { Verdicts } from "./blocking.ts";
import type { ArrivalReason, HeldCopy } from "./mailDecision.ts";

/** The recipients that rules chose, those of batches included. */
const recipientsOf = ({ destinations, digest, dailyDigest }: Decision): readonly string[] => [
  ...new Set([...destinations, ...digest, ...dailyDigest]),
];

/** Returns the decision with all destinations of the mask; where a rule forwards the mail, it stays as it is. */
export const toAllDestinations = (
  decision: Decision,
  { destination, furtherDestinations }: MailRoute,
): Decision =>
  furtherDestinations.length === 0 || decision.applied.some(({ actions }) => actions.includes("forward"))
    ? decision
    : {
        ...decision,
        destinations: decision.destinations.flatMap((one) =>
          one === destination ? [one, ...furtherDestinations] : [one],
        ),
      };

/** Returns the decision of a mask whose mail stays in the app: kept there, unless a rule sends or archives it. */
export const keptDecision = (decision: Decision, { keptInApp }: Pick<MailRoute, "keptInApp">): Decision =>
  keptInApp === "no" ||
  decision.block !== null ||
  decision.applied.some(({ actions }) => actions.includes("forward") || actions.includes("archive"))
    ? decision
    : { ...decision, destinations: [], archive: { markAsRead: false } };

/**
 * Returns what speaks against a mail that no rule and no list decides about: the domain in From asks for quarantine
 * (DMARC), which the mask may accept, or a spam filter doubts it. Mail that a rule only archives is archived.
 */
const suspicionOf = ({ route, decision, evidence, verdict, spam }: HeldFacts): ArrivalReason | null => {
  if (verdict?.kind === "allow" || recipientsOf(decision).length === 0) return null;
  if (evidence?.proof === "suspicious" && !route.acceptUnproven) return "suspicious";
  return spam?.rating === "likely-spam" ? "spam" : null;
};

type HeldFacts = Verdicts & { readonly route: MailRoute; readonly decision: Decision };

/** Returns why a mail is held for its owner's decision; null for a mail that is blocked or needs none. */
export const reasonToHold = (facts: HeldFacts): ArrivalReason | null => {
  const { route, decision } = facts;
  if (decision.block !== null) return null;
  if (!route.active) return "off";
  if (facts.verdict?.kind === "hold") return facts.verdict.reason;
  if (decision.hold !== null) return "rule";
  return suspicionOf(facts);
};

/**
 * Returns the decision about a held mail: recipients of batches get it like the others, and nobody an answer. Of a mail
 * that its owner may not want, nothing is archived or announced either; what a rule holds is announced as its rules say.
 */
export const heldDecision = (
  decision: Decision,
  reason: ArrivalReason,
  { destination, furtherDestinations }: MailRoute,
): Decision => {
  const recipients = recipientsOf(decision);
  const held = { ...decision, destinations: recipients, digest: [], dailyDigest: [], autoReply: null };
  if (reason === "suspicious" || reason === "spam") return held;
  return {
    ...held,
    destinations: recipients.length > 0 ? recipients : [destination, ...furtherDestinations],
    archive: null,
    notify: reason === "rule" ? decision.notify : [],
  };
};

interface ArrivedMail extends Pick<RawMail, "content"> {
  readonly header: HeaderBlock;
  readonly sender: Sender | null;
}

/** Returns the copy to hold for its recipients. */
export const heldCopyOf = (
  { content, header, sender }: ArrivedMail,
  copy: Omit<OutgoingCopy, "recipient">,
  recipients: readonly string[],
  reason: ArrivalReason,
): HeldCopy => ({
  ...summarize({ content: content.head, header }, sender),
  copy: { recipient: recipients[0] ?? "", ...copy },
  recipients,
  reason,
});
