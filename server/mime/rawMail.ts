import type { MailContent } from "../platform/spool/mailContent.ts";
import type { Db } from "../platform/store/database.ts";

/** The ways on which a provider hands over mail that it has received. */
export type HandedOverBy = "HTTP" | "IMAP";

/** The SMTP envelope and trace of a mail (RFC 5321, 2.3.1 and 4.4). */
export interface Envelope {
  /** Empty for the null sender. */
  readonly sender: string;
  /** Argument of HELO or EHLO; false when it was missing or unusable. */
  readonly helo: string | false;
  /** Null where a provider has received the mail and hands it over: nobody here knows its client. */
  readonly remoteAddress: string | null;
  /** The name in `Received`. */
  readonly protocol: "SMTP" | "ESMTP" | "ESMTPS" | HandedOverBy;
  readonly smtpUtf8: boolean;
  readonly receivedAt: number;
}

/** A mail as it arrived. */
export interface RawMail {
  readonly envelope: Envelope;
  readonly content: MailContent;
  /** Stores, in the transaction that stores its copies, that a provider need not hand the mail over again. */
  readonly inCommit?: (db: Db) => Promise<void>;
}
