import { maxFromBytes } from "../../mime/author.ts";
import { noSuchAddress, smtpReply } from "../../smtp/smtpReplies.ts";

export const unknownMask = noSuchAddress;
export const tooManyUnknown = smtpReply(
  421,
  "4.7.1",
  "Your network has named too many addresses that do not exist; try again later",
);
export const inactiveMask = smtpReply(550, "5.2.1", "This address is switched off and takes no mail");
export const awaitingConfirmation = smtpReply(
  450,
  "4.2.1",
  "This address is not ready yet: its owner has not confirmed where mail goes; try again later",
);
export const monthlyLimitReached = smtpReply(
  552,
  "5.2.2",
  "This address has taken all the mail it may this month",
);
export const lastMailsPending = smtpReply(
  450,
  "4.2.2",
  "The last mail that this address may take this month is arriving; try again later",
);
export const tooMuchFromSender = smtpReply(
  450,
  "4.7.1",
  "Too much mail to this address from this sender's domain or network at the moment; try again later",
);
export const dailyShareUsedUp = smtpReply(
  450,
  "4.7.1",
  "This address has taken all the mail it may from this sender's domain or network today; try again tomorrow",
);
export const tooMuchKept = smtpReply(
  452,
  "4.2.2",
  "The owner of this address would have to decide about this mail, and there is no room to keep it; try again later",
);
export const tooMuchWaits = smtpReply(
  452,
  "4.2.2",
  "Too much mail to this address is waiting for its owner or their mail server; try again later",
);
export const tooManyNewMasks = smtpReply(
  450,
  "4.2.1",
  "This domain takes no more new addresses today; try again tomorrow",
);
export const relayRefused = smtpReply(
  550,
  "5.7.1",
  "Relaying refused: this server takes mail for its own domains only",
);
export const tooManyForSize = smtpReply(
  452,
  "4.5.3",
  "Too many recipients for a mail of this size; send the others separately",
);
export const refusedByRule = smtpReply(550, "5.7.1", "The owner of this address does not take this mail");
export const refusedAsSpam = smtpReply(
  550,
  "5.7.1",
  "This mail looks like spam, or its sender looks forged (SPF, DKIM, DMARC)",
);
export const forgedSender = smtpReply(
  550,
  "5.7.1",
  "This mail does not come from the domain in its From field, and that domain asks to refuse such mail (DMARC)",
);
export const senderUndecided = smtpReply(
  451,
  "4.7.1",
  "The domain in From cannot be checked, because the name servers of the domain do not answer (DMARC); try again later",
);
export const fromTooLong = smtpReply(
  550,
  "5.6.0",
  `The From field of this mail is longer than ${maxFromBytes / 1024} kB; name one sender`,
);
export const severalFromFields = smtpReply(
  550,
  "5.7.1",
  "This mail has more than one From field (RFC 5322, 3.6)",
);
export const unclearAuthor = smtpReply(
  550,
  "5.6.0",
  "The From field of this mail must name exactly one address, as in From: Name <user@example.org> (RFC 5322, 3.6.2)",
);
export const tooManyCopies = smtpReply(
  552,
  "5.3.4",
  "Too large for so many recipients; send it to fewer at a time",
);
export const postmasterBusy = smtpReply(
  450,
  "4.2.1",
  "The postmaster has received too much mail this hour; try again later",
);
export const tooLargeForPostmaster = smtpReply(552, "5.3.4", "This mail is too large for the postmaster");
export const reportsBusy = smtpReply(
  450,
  "4.2.1",
  "Too many reports have arrived this hour; try again later",
);
export const headerTooLarge = smtpReply(552, "5.3.4", "The header of this mail is too large");
export const mailLoop = smtpReply(
  554,
  "5.4.6",
  "Mail loop: this mail has passed this server or others too often",
);
export const changedMeanwhile = smtpReply(
  450,
  "4.2.1",
  "A recipient has changed while this mail arrived; try again",
);
export const limitReachedMeanwhile = smtpReply(
  450,
  "4.2.2",
  "A recipient has reached the limit of this month while this mail arrived; try again",
);
export const cannotEncrypt = smtpReply(
  450,
  "4.7.5",
  "Mail for a recipient cannot be encrypted at the moment; try again later",
);
