import { toAnswerable } from "../../../core/mail/answerableAddress.ts";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Db } from "../../platform/store/database.ts";
import { maxMailBytes } from "../../smtp/smtpLimits.ts";
import { type SmtpReply, smtpReply } from "../../smtp/smtpReplies.ts";
import type { MailParameters, SmtpTransaction } from "../../smtp/smtpTransaction.ts";
import { isAppPasswordValid } from "../appPasswords/appPasswordQueries.ts";
import { isUnanswerable, parseReverseLocalPart } from "../correspondents/reverseAddress.ts";
import type { Recipient } from "../replies/commitReplies.ts";
import { findOwnMask } from "../replies/replyQueries.ts";
import {
  answerOf,
  noMaskOfYours,
  unanswerableMail,
  unknownReverseAddress,
} from "../replies/replyRefusals.ts";
import type { OutgoingMail } from "../replies/submitMail.ts";

export interface SubmissionTransactionDeps {
  readonly db: Db;
  readonly maskDomain: DomainName;
  readonly publicUrl: string;
  readonly outgoing: OutgoingMail;
}

/** The user who has logged in, and the app password of the connection. */
export interface Submitter {
  readonly userId: string;
  readonly passwordId: string;
}

const revoked = smtpReply(530, "5.7.0", "BAUTA-S1 This app password was revoked; log in again");
const badRecipient = smtpReply(553, "5.1.3", "This is not an address");
const tooManyForSize = smtpReply(452, "4.5.3", "Too many recipients for a mail of this size");

/** Bytes of all copies of one mail together. */
const maxCopiesBytes = 4 * maxMailBytes;

/** Begins a transaction of a mail program: the sender is a mask of its user, recipients are any. */
export const beginSubmission = (
  { db, maskDomain, publicUrl, outgoing }: SubmissionTransactionDeps,
  { userId, passwordId }: Submitter,
  { sender, size }: MailParameters,
): SmtpTransaction => {
  const recipients = new Map<string, Recipient>();

  const add = (recipient: Recipient): SmtpReply | null => {
    if (size * (recipients.size + 1) > maxCopiesBytes) return tooManyForSize;
    recipients.set(mailboxKey(recipient.address), recipient);
    return null;
  };

  return {
    onSender: async () => {
      if (!(await isAppPasswordValid(db, passwordId))) return revoked;
      const maskId = await findOwnMask(db, { userId, email: sender }, maskDomain);
      return maskId === null ? answerOf(noMaskOfYours, publicUrl) : null;
    },
    onRecipient: async (named) => {
      // Programs know addresses from mail that came.
      const address = toAnswerable(named);
      if (address === null) return badRecipient;
      const localPart = parseReverseLocalPart(localPartOf(address));
      if (localPart === null || !isAtDomain(address, maskDomain))
        return add({ address, reverse: await outgoing.findTagged(address, userId) });
      if (isUnanswerable(localPart)) return answerOf(unanswerableMail, publicUrl);
      const reverse = await outgoing.findOwn(localPart, userId);
      return reverse ? add({ address, reverse }) : answerOf(unknownReverseAddress, publicUrl);
    },
    onMail: ({ content }) => outgoing.submit(userId, content, [...recipients.values()]),
    end: () => {},
  };
};
