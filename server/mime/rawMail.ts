import type { MailContent } from "../platform/spool/mailContent.ts";

/** The SMTP envelope and trace of a mail (RFC 5321, 2.3.1 and 4.4). */
export interface Envelope {
  /** Empty for the null sender. */
  readonly sender: string;
  /** Argument of HELO or EHLO; false when it was missing or unusable. */
  readonly helo: string | false;
  readonly remoteAddress: string;
  /** The name in `Received`. */
  readonly protocol: "SMTP" | "ESMTP" | "ESMTPS";
  readonly smtpUtf8: boolean;
  readonly receivedAt: number;
}

/** A mail as it arrived. */
export interface RawMail {
  readonly envelope: Envelope;
  readonly content: MailContent;
}
