import type { RawMail } from "../mime/rawMail.ts";
import type { Login } from "./login.ts";
import type { SmtpReply } from "./smtpReplies.ts";

/** The parameters of a MAIL command. */
export interface MailParameters {
  /** Bytes from SIZE; 0 when missing. */
  readonly size: number;
  /** True if the envelope sender is empty, as in bounces (RFC 5321, 4.5.5). */
  readonly isNullSender: boolean;
  /** Empty for the null sender. */
  readonly sender: string;
  /** Null where a provider hands the mail over. */
  readonly remoteAddress: string | null;
}

/** One mail transaction, from MAIL to its end. A reply refuses; null accepts. */
export interface SmtpTransaction {
  /** Checks the sender before MAIL is answered; absent where any sender is accepted. */
  readonly onSender?: () => Promise<SmtpReply | null>;
  /** Answers synchronously where possible. */
  readonly onRecipient: (address: string) => SmtpReply | null | Promise<SmtpReply | null>;
  /** Handles the mail and ends the transaction; null means that the mail is stored durably. */
  readonly onMail: (mail: RawMail) => Promise<SmtpReply | null>;
  /** Called for a mail whose content is refused before `onMail`, as of one that is too large; the transaction then ends. */
  readonly onContentRefused?: (reply: SmtpReply) => void;
  /** Ends a transaction whose mail does not arrive; does nothing after `onMail`. */
  readonly end: () => void;
}

export type BeginTransaction = (parameters: MailParameters) => SmtpTransaction;

/** Lets users log in and send mail (RFC 6409). */
export interface Submission {
  /** Checks a login; returns what begins the user's transactions, or the reply that refuses it. */
  readonly authenticate: (login: Login, remoteAddress: string) => Promise<BeginTransaction | SmtpReply>;
}
