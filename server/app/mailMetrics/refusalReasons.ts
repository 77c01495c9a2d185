import * as ofReplies from "../../features/replies/replyRefusals.ts";
import { tooLargeForReports } from "../../features/reports/receiveReport.ts";
import * as refusals from "../../relay/decision/refusals.ts";
import * as smtp from "../../smtp/smtpReplies.ts";

/** The reason for which a command or a mail is refused, as operators see it; "other" is for what no group names. */
export type RefusalReason = keyof typeof replies | "reply" | "other";

const replies = {
  unknown_address: [smtp.noSuchAddress, ofReplies.unknownReverseAddress.answer],
  too_many_unknown: [refusals.tooManyUnknown],
  switched_off: [refusals.inactiveMask],
  unconfirmed: [refusals.awaitingConfirmation],
  monthly_limit: [refusals.monthlyLimitReached, refusals.lastMailsPending, refusals.limitReachedMeanwhile],
  sender_limit: [
    refusals.tooMuchFromSender,
    refusals.dailyShareUsedUp,
    refusals.postmasterBusy,
    refusals.reportsBusy,
  ],
  no_room: [refusals.tooMuchKept, refusals.tooMuchWaits],
  new_masks_limit: [refusals.tooManyNewMasks],
  relaying: [refusals.relayRefused],
  rule: [refusals.refusedByRule],
  spam: [refusals.refusedAsSpam],
  forged: [refusals.forgedSender],
  unchecked: [refusals.senderUndecided, ofReplies.proofUnavailable.answer],
  malformed: [
    refusals.fromTooLong,
    refusals.severalFromFields,
    refusals.unclearAuthor,
    refusals.headerTooLarge,
    refusals.mailLoop,
  ],
  too_large: [
    smtp.tooLarge,
    refusals.tooLargeForPostmaster,
    tooLargeForReports,
    refusals.tooManyForSize,
    refusals.tooManyCopies,
    ofReplies.separateRecipients,
  ],
  changed: [refusals.changedMeanwhile],
  encryption: [refusals.cannotEncrypt],
  login: [ofReplies.wrongLogin.answer, ofReplies.tooManyLogins.answer],
  connections: [
    smtp.tooManyConnections,
    smtp.tooOften,
    smtp.makeRoom,
    smtp.allConnectionsInUse,
    smtp.noCertificate,
    smtp.shuttingDown,
  ],
  disk_full: [smtp.spoolFull],
  error: [smtp.localError],
} satisfies Readonly<Record<string, readonly smtp.SmtpReply[]>>;

const reasonOfText = new Map(
  Object.entries(replies).flatMap(([reason, all]) =>
    all.map(({ text }) => [text, reason as keyof typeof replies] as const),
  ),
);

/** Returns the reason of a refusal. Its text may end with the address of its help. */
export const reasonOf = ({ text }: smtp.SmtpReply): RefusalReason => {
  const reason = reasonOfText.get(text.split("; see ", 1)[0] ?? text);
  if (reason !== undefined) return reason;
  return text.startsWith("BAUTA-R") ? "reply" : "other";
};
