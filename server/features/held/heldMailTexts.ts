import { heldDays } from "../../../core/held/heldMail.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { nameAndAddress } from "../../../core/mail/nameAndAddress.ts";
import { giveUpAfterDays } from "../../../core/mail/retrySchedule.ts";
import type { HeldLinkAction } from "./heldLinks.ts";
import type { HeldMailRow } from "./heldQueries.ts";
import type { HeldReason } from "./heldTables.ts";

const reasons: Readonly<Record<HeldReason, string>> = {
  suspicious:
    "This email does not come from the domain that it names, and that domain asks to treat such mail as suspicious (DMARC).",
  spam: "The spam filter of the mask takes this email for likely spam.",
  unknown: "You have not allowed the sender yet.",
  rule: "A rule of the mask holds this email for your decision.",
  off: "The mask was switched off when this email came.",
  unsent: "This is a reply of yours that was refused.",
  refused: "The next mail server refused this email.",
  expired: `This email could not be delivered in ${giveUpAfterDays} days.`,
};

/** A held mail in words, for its owner. */
export interface HeldMailText {
  readonly subject: string;
  readonly sender: string;
  readonly reason: string;
  /** The day on which it is deleted. */
  readonly until: string;
}

const senderText = ({ from }: HeldMailRow): string =>
  (from === null ? "" : nameAndAddress(from)) || "an unknown sender";

/** Describes a mail; a mail that is encrypted to the owner's key has no readable subject. */
export const describeHeldMail = (mail: HeldMailRow): HeldMailText => ({
  subject: mail.subject === null ? "Encrypted email" : mail.subject || "Email without a subject",
  sender: senderText(mail),
  reason: reasons[mail.reason],
  until: new Date(mail.heldAt + heldDays * dayMs).toLocaleDateString("en", {
    dateStyle: "long",
    timeZone: "UTC",
  }),
});

interface ActionText {
  /** The link in the mail and the button on the page. */
  readonly label: string;
  readonly question: string;
  readonly consequence: string;
  readonly title: string;
  readonly result: string;
}

const isTriedBefore = ({ reason }: HeldMailRow): boolean => reason === "refused" || reason === "expired";

/** The words of an action, before and after it; `mask` is the address of the mail's mask. */
export const actionText = (action: HeldLinkAction, mail: HeldMailRow, mask: string): ActionText => {
  const address = mail.from?.address || "its sender";
  switch (action) {
    case "release":
      return isTriedBefore(mail)
        ? {
            label: "Try again",
            question: "Try to deliver this email again?",
            consequence: "This email is sent again now. When delivery fails once more, it is held as now.",
            title: "The email is being sent",
            result: "Delivery is tried again now.",
          }
        : {
            label: "Release",
            question: "Release this email?",
            consequence: "This email is sent to you now. Other mail from the sender is treated as before.",
            title: "The email is being sent",
            result: "This email arrives in your mailbox in a moment.",
          };
    case "allow":
      return {
        label: "Always allow",
        question: "Always allow this sender?",
        consequence: `This email is sent to you now, and so is what ${address} sends to ${mask} from now on.`,
        title: "The sender is allowed",
        result: `The email is being sent, and ${mask} accepts ${address} from now on.`,
      };
    case "block":
      return {
        label: "Block sender",
        question: "Block this sender?",
        consequence: `This email is deleted, and what ${address} sends to ${mask} from now on is refused.`,
        title: "The sender is blocked",
        result: `The email was deleted, and ${mask} refuses ${address} from now on. You can undo that on the page of the mask's held mail.`,
      };
    case "delete":
      return {
        label: "Delete",
        question: "Delete this email?",
        consequence: "This is the only copy. This cannot be undone.",
        title: "The email was deleted",
        result: "No copy is kept.",
      };
  }
};
