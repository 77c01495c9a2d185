/** What the transmission of a mail said: SMTP's envelope and its trace (RFC 5321, 2.3.1 and 4.4). */
export interface Envelope {
  /** Empty for the null sender. */
  readonly sender: string;
  /** Argument of HELO or EHLO; false when it was missing or unusable. */
  readonly helo: string | false;
  readonly remoteAddress: string;
  /** As `Received` names it. */
  readonly protocol: "SMTP" | "ESMTP" | "ESMTPS";
  readonly smtpUtf8: boolean;
  readonly receivedAt: number;
}

/** The bytes of a mail as it arrived: every line ends in CRLF, and there is no NUL. */
export interface MailContent {
  readonly size: number;
  /** Its first bytes in one piece: all of a small mail, and at least more than the largest header of others. */
  readonly head: Buffer;
  /** Returns all bytes in order. A small mail is in memory; others are read from the disk in pieces. */
  readonly chunks: () => Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** A mail as it arrived. */
export interface RawMail {
  readonly envelope: Envelope;
  readonly content: MailContent;
}

/** The content of a mail while it arrives. */
export interface ArrivingContent {
  /** Takes the following bytes. Returns a promise when no more may be added until it resolves. */
  readonly add: (chunk: Buffer) => Promise<void> | null;
  readonly size: () => number;
  /** Returns the content after the last byte, or why there is none: too little room, or an error of the disk. */
  readonly finish: () => ContentResult | Promise<ContentResult>;
  /** Frees memory and disk; to be called once the reply is known or the connection is gone. */
  readonly discard: () => void;
}

export type ContentResult = MailContent | "no-room" | "failed";

/** Begins to take the content of a mail; the declared size is 0 when there is none. */
export type BeginContent = (declaredSize: number) => ArrivingContent;
