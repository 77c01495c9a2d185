/** A reply that refuses: RFC 5321 code, RFC 3463 status, and text for the sender's postmaster. */
export interface SmtpReply {
  readonly code: number;
  readonly status: string;
  readonly text: string;
}

/** Creates a reply. */
export const smtpReply = (code: number, status: string, text: string): SmtpReply => ({ code, status, text });

export const tooLarge = smtpReply(552, "5.3.4", "This mail is too large");
export const spoolFull = smtpReply(
  452,
  "4.3.1",
  "Not enough room for this mail at the moment; try again later",
);
export const localError = smtpReply(451, "4.3.0", "Local error, nothing was taken; try again later");
export const tooSlow = smtpReply(421, "4.4.2", "This mail took too long to arrive");
export const tooManyRefusals = smtpReply(421, "4.7.0", "Too many refused commands");
export const tooManyConnections = smtpReply(
  421,
  "4.7.0",
  "Too many connections from your address; try again later",
);
export const shuttingDown = smtpReply(421, "4.3.2", "Shutting down; try again later");

/** Converts a reply to the error that smtp-server expects from a handler. */
export const toSmtpError = ({ code, status, text }: SmtpReply): Error =>
  Object.assign(new Error(`${status} ${text}`), { responseCode: code });
