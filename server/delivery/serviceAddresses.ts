/** Returns the installation's own postmaster address, which is used while the operator has configured no other. */
export const postmasterAddress = (maskDomain: string): string => `postmaster@${maskDomain}`;

/** True if a local part is one that every mail server must accept (RFC 5321, 4.5.1; RFC 2142, 4). */
export const isPostmaster = (localPart: string): boolean => /^(?:postmaster|abuse)$/i.test(localPart);

/** Returns the addresses for reports of receivers: of DMARC (RFC 9990) and of TLS (RFC 8460). */
export const reportAddresses = (maskDomain: string): { readonly dmarc: string; readonly tls: string } => ({
  dmarc: `dmarc-reports@${maskDomain}`,
  tls: `tls-reports@${maskDomain}`,
});

/** True if a local part takes reports of receivers; no mask can have this name. */
export const isReportAddress = (localPart: string): boolean => /^(?:dmarc|tls)-reports$/i.test(localPart);

/** Returns the address for complaints of recipients, which their providers report (RFC 9477). */
export const feedbackAddress = (maskDomain: string): string => `complaints@${maskDomain}`;

/** True if a local part takes complaints; no mask can have this name. */
export const isFeedbackAddress = (localPart: string): boolean => /^complaints$/i.test(localPart);

/** The prefix of every reverse address. */
export const reversePrefix = "re-";

/** True if a local part has the form of a reverse address: the prefix and 160 bits in base 32; no mask can have this name. */
export const isReverseAddress = (localPart: string): boolean => /^re-[a-z2-7]{32}$/i.test(localPart);

/**
 * Returns the sender of system mail. No mask can have this name; mail to it is refused at RCPT, except bounces,
 * which are accepted and ignored.
 */
export const systemMailAddress = (maskDomain: string): string => `no-reply@${maskDomain}`;

/** Returns the envelope sender of forwarded mail. */
export const bounceAddress = (maskDomain: string): string => `bounces@${maskDomain}`;

/** True if an envelope sender is that of forwarded mail. */
const isBounceAddress = (envelopeSender: string): boolean => envelopeSender.startsWith("bounces@");

/** True if a queued mail goes to a user, and not from a mask to a correspondent. */
export const isReceivedMail = ({ envelopeSender }: { readonly envelopeSender: string }): boolean =>
  envelopeSender === "" || isBounceAddress(envelopeSender);

/** True if a queued mail is forwarded to the owner of a mask. */
export const isForwardedMail = (mail: {
  readonly envelopeSender: string;
  readonly userId?: string | null;
}): boolean => (mail.userId ?? null) !== null && isBounceAddress(mail.envelopeSender);

/**
 * Returns the envelope sender of one queued mail: `bounces` with the mail's id, which cannot be guessed, so
 * that a report can be matched to it. Other senders are returned unchanged.
 */
export const toReturnPath = (envelopeSender: string, id: string): string =>
  envelopeSender.replace(/^bounces@/, () => `bounces+${Buffer.from(id).toString("hex")}@`);

/** The parsed local part of a return path; `id` is null when it names no mail. */
export interface ReturnPath {
  readonly id: string | null;
}

/**
 * Parses a local part that our mail is sent from, in any case; null for all others. These addresses accept mail
 * from the null sender, because servers verify the sender before they accept a mail (RFC 5321, 4.5.5).
 */
export const parseReturnPath = (localPart: string): ReturnPath | null => {
  const [, hex] = /^bounces\+((?:[0-9a-f]{2}){1,28})$/i.exec(localPart) ?? [];
  if (hex !== undefined) return { id: Buffer.from(hex, "hex").toString("latin1") };
  return /^(?:bounces|no-reply)$/i.test(localPart) ? { id: null } : null;
};
