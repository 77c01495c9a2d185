const mailbox = "bounces";

/**
 * The envelope sender of one mail of the queue: reports about it come back under a name that says which mail it was,
 * and that nobody else can guess, as the mail's id cannot be guessed. What is not sent from `bounces` stays as it is.
 */
export const returnPathOf = (envelopeSender: string, id: string): string =>
  envelopeSender.replace(/^bounces@/, `${mailbox}+${Buffer.from(id).toString("hex")}@`);

/** What a name of ours for reports says; `id` is null where it names no mail. */
export interface ReturnPath {
  readonly id: string | null;
}

/**
 * Reads a local part that mail of ours is sent from, in any case; null for every other. Servers ask whether these
 * take mail before they take any from them (RFC 5321, 4.5.5), so they do, from the null sender.
 */
export const readReturnPath = (localPart: string): ReturnPath | null => {
  const [, hex] = /^bounces\+((?:[0-9a-f]{2}){1,28})$/i.exec(localPart) ?? [];
  if (hex !== undefined) return { id: Buffer.from(hex, "hex").toString("latin1") };
  return /^(?:bounces|no-reply)$/i.test(localPart) ? { id: null } : null;
};
