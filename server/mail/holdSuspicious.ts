import type { Sender } from "../../core/mail/forwardedFrom.ts";
import type { Decision } from "../../core/rules/engine/decision.ts";
import type { HeaderBlock } from "../delivery/headerBlock.ts";
import type { OutgoingCopy } from "../delivery/outgoingCopy.ts";
import { summarize } from "../held/storedHeader.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import type { RawMail } from "../smtp/rawMail.ts";
import type { Verdicts } from "./blocking.ts";
import type { HeldCopy } from "./deliveryPlan.ts";

/** The recipients that rules chose, the hourly ones included. */
const recipientsOf = ({ destinations, digest }: Decision): readonly string[] => [
  ...new Set([...destinations, ...digest]),
];

/**
 * Whether a mail is held: the domain in From asks for quarantine (DMARC), and neither the mask nor its list of
 * allowed senders accepts it. Mail that a rule only archives is archived.
 */
export const isToBeHeld = ({
  route,
  decision,
  evidence,
  listed,
}: Omit<Verdicts, "spam"> & { readonly route: MailRoute; readonly decision: Decision }): boolean =>
  evidence?.standing === "suspicious" &&
  !route.acceptUnproven &&
  listed !== "allow" &&
  decision.block === null &&
  recipientsOf(decision).length > 0;

/** Returns the decision about a held mail: hourly recipients get it like the others, and nobody an answer. */
export const heldDecision = (decision: Decision): Decision => ({
  ...decision,
  destinations: recipientsOf(decision),
  digest: [],
  autoReply: null,
});

interface ArrivedMail extends Pick<RawMail, "content"> {
  readonly header: HeaderBlock;
  readonly sender: Sender | null;
}

/** Returns the copy to hold for its recipients. */
export const heldCopyOf = (
  { content, header, sender }: ArrivedMail,
  copy: Omit<OutgoingCopy, "recipient">,
  recipients: readonly string[],
): HeldCopy => ({
  ...summarize({ content: content.head, header }, sender),
  copy: { recipient: recipients[0] ?? "", ...copy },
  recipients,
});
