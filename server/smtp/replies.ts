/** A reply that refuses: RFC 5321 code, RFC 3463 status, and text for the sender's postmaster. */
export interface SmtpReply {
  readonly code: number;
  readonly status: string;
  readonly text: string;
}

const reply = (code: number, status: string, text: string): SmtpReply => ({ code, status, text });

export const unknownMask = reply(550, "5.1.1", "No such address here");
export const inactiveMask = reply(550, "5.2.1", "This address is switched off and takes no mail");
export const awaitingConfirmation = reply(
  450,
  "4.2.1",
  "This address is not ready yet, its owner has still to confirm where mail goes; try again later",
);
export const monthlyLimitReached = reply(
  552,
  "5.2.2",
  "This address has taken all the mail it may this month",
);
export const lastMailsPending = reply(
  450,
  "4.2.2",
  "The last mails this address may take this month are just coming in; try again later",
);
export const relayRefused = reply(550, "5.7.1", "Relaying refused: we take mail for our own domain only");
export const tooLarge = reply(552, "5.3.4", "This mail is too large");
export const tooManyForSize = reply(
  452,
  "4.5.3",
  "Too many recipients for a mail of this size; send the others separately",
);
export const refusedByRule = reply(550, "5.7.1", "The owner of this address does not take this mail");
export const refusedAsSpam = reply(
  550,
  "5.7.1",
  "This mail looks like spam or comes from elsewhere than it says (SPF, DKIM, DMARC); it was not taken",
);
export const tooManyCopies = reply(
  552,
  "5.3.4",
  "Too large for so many recipients; send it to fewer at a time",
);
export const postmasterBusy = reply(
  450,
  "4.2.1",
  "The postmaster has got a lot of mail this hour; try again later",
);
export const tooLargeForPostmaster = reply(552, "5.3.4", "Mail to the postmaster may not be so large");
export const headerTooLarge = reply(552, "5.3.4", "The header of this mail is too large");
export const mailLoop = reply(554, "5.4.6", "Mail loop: this mail has passed here or elsewhere too often");
export const spoolFull = reply(452, "4.3.1", "Not enough room for this mail at the moment; try again later");
export const changedMeanwhile = reply(
  450,
  "4.2.1",
  "A recipient has changed while this mail came in; try again",
);
export const limitReachedMeanwhile = reply(
  450,
  "4.2.2",
  "A recipient's last mail of this month was taken while this one came in; try again",
);
export const cannotEncrypt = reply(
  450,
  "4.7.5",
  "Mail for a recipient cannot be encrypted at the moment; try again later",
);
export const localError = reply(451, "4.3.0", "Local error, nothing was taken; try again later");
export const tooSlow = reply(421, "4.4.2", "This mail took too long to arrive");
export const tooManyRefusals = reply(421, "4.7.0", "Too many refused commands");
export const tooManyConnections = reply(
  421,
  "4.7.0",
  "Too many connections from your address; try again later",
);
export const shuttingDown = reply(421, "4.3.2", "Shutting down; try again later");

/** Converts a reply to the error that smtp-server expects from a handler. */
export const toSmtpError = ({ code, status, text }: SmtpReply): Error =>
  Object.assign(new Error(`${status} ${text}`), { responseCode: code });
