import type { HeldMail } from "../../../core/held/heldMail.ts";
import { nameAndAddress } from "../../../core/mail/nameAndAddress.ts";
import { giveUpAfterDays } from "../../../core/mail/retrySchedule.ts";

/** The name of a held mail in texts: its subject. */
export const subjectOf = ({ subject }: HeldMail): string => {
  if (subject === null) return "Encrypted email";
  return subject === "" ? "Email without a subject" : subject;
};

/** Returns the name and address of a held mail's sender; empty when they are unknown. */
export const senderOf = ({ from }: HeldMail): string => (from === null ? "" : nameAndAddress(from));

const senderDomain = ({ from }: HeldMail): string => from?.address.split("@").at(-1) || "its sender's domain";

const serverOf = ({ direction }: HeldMail): string =>
  direction === "received" ? "The server of your address" : "The recipient's server";

/** True if a mail was held when it came, not after attempts to deliver it. */
export const isHeldOnArrival = ({ reason }: HeldMail): boolean =>
  reason !== "refused" && reason !== "expired" && reason !== "unsent";

/** Returns the label of the action that sends a mail for the first time, or again after it failed. */
export const sendLabel = (hasFailed: boolean): string => (hasFailed ? "Try again" : "Release");

/** Returns the label of the action that sends a held mail. */
export const releaseLabel = (mail: HeldMail): string =>
  mail.reason === "unsent" ? "Send again" : sendLabel(!isHeldOnArrival(mail));

/** Says in few words why a mail is held. */
export const heldLabels: Readonly<Record<HeldMail["reason"], string>> = {
  refused: "Refused",
  expired: "Not delivered",
  unknown: "First-time sender",
  rule: "Held by a rule",
  unsent: "Reply refused",
  off: "Mask is off",
  spam: "Likely spam",
  suspicious: "Suspicious",
};

/** Says in a sentence why a mail is held. */
export const reasonOf = (mail: HeldMail): string => {
  const { reason, recipient } = mail;
  switch (reason) {
    case "refused":
      return `${serverOf(mail)} ${recipient} refused it.`;
    case "expired":
      return `It could not be delivered to ${recipient} in ${giveUpAfterDays} days.`;
    case "unknown":
      return "You have not allowed the sender at this mask yet.";
    case "rule":
      return "A rule of the mask holds this email for your decision.";
    case "unsent":
      return `Your reply to ${recipient} was refused. It was not sent.`;
    case "off":
      return "The mask was switched off when this email came.";
    case "spam":
      return "The spam filter of the mask takes this email for likely spam.";
    case "suspicious":
      return `This email does not come from ${senderDomain(mail)}, and that domain asks to treat such mail as suspicious (DMARC).`;
  }
};
