import { storageProblemOf } from "../platform/storage/storageProblem.ts";

/** A refusing reply: RFC 5321 code, RFC 3463 status, and text for the sender's postmaster. */
export interface SmtpReply {
  readonly code: number;
  readonly status: string;
  readonly text: string;
  /** True if the client may be guessing addresses, so that the reply waits, longer each time in a connection. */
  readonly isGuess?: true;
}

/** The reply in place of what was asked for. */
export interface Refused {
  readonly kind: "refused";
  readonly reply: SmtpReply;
}

export const refused = (reply: SmtpReply): Refused => ({ kind: "refused", reply });

/** Creates a reply. */
export const smtpReply = (code: number, status: string, text: string): SmtpReply => ({ code, status, text });

/** The answer for an address that does not exist here, whatever kind it is: a stranger learns nothing else. */
export const noSuchAddress = smtpReply(550, "5.1.1", "No such address here");
export const tooLarge = smtpReply(552, "5.3.4", "This mail is too large");
export const spoolFull = smtpReply(
  452,
  "4.3.1",
  "Not enough room for this mail at the moment; try again later",
);
export const localError = smtpReply(451, "4.3.0", "Local error, nothing was stored; try again later");

/** Returns the temporary error for an exception, after which nothing of the mail is kept. */
export const replyToError = (error: unknown): SmtpReply =>
  storageProblemOf(error) === "full" ? spoolFull : localError;

export const tooSlow = smtpReply(421, "4.4.2", "This mail took too long to arrive");
export const tooManyRefusals = smtpReply(421, "4.7.0", "Too many refused commands");
export const tooManyConnections = smtpReply(
  421,
  "4.7.0",
  "Too many connections from your address; try again later",
);
export const tooOften = smtpReply(421, "4.7.0", "You connect too often; try again later");
export const shuttingDown = smtpReply(421, "4.3.2", "Shutting down; try again later");

export const noCertificate = smtpReply(421, "4.3.2", "There is no certificate yet; try again later");

export const lineTooLong = smtpReply(500, "5.5.6", "Line too long");
export const unsynchronized = smtpReply(554, "5.5.0", "You sent more before the answer");
export const spokeTooSoon = smtpReply(421, "4.7.0", "You spoke before the greeting");
export const noHttp = smtpReply(421, "4.7.0", "This is not a web server");
export const idleTooLong = smtpReply(421, "4.4.2", "Nothing has arrived for too long");
export const makeRoom = smtpReply(
  421,
  "4.7.0",
  "All connections are in use, and this one is idle; try again later",
);
export const allConnectionsInUse = smtpReply(421, "4.7.0", "All connections are in use; try again later");

/** Returns a reply as it is sent. */
export const formatReply = ({ code, status, text }: SmtpReply): string => `${code} ${status} ${text}\r\n`;
