import { domainOf, type EmailAddress, localPartOf, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Db } from "../store/database.ts";
import { addressesOf, claimAddress } from "../store/masks.ts";

/** No vowels, so that no word comes about; nothing that looks like something else in any hand or font. */
const alphabet = "bcdfghjkmnpqrstvwxyz23456789";
const fair = 256 - (256 % alphabet.length);

/** 28 characters are 4.8 bits each: 48 bits, too many addresses to guess one. */
const localLength = 10;
/** 24 bits behind a prefix, which the owner may make hard to guess as well. */
const suffixLength = 5;

const drawings = 20;

/** Random characters, each as likely as any other. */
const randomText = (random: Random, length: number): string => {
  let text = "";
  while (text.length < length)
    for (const byte of random.bytes(length))
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
  return text;
};

const beginning = (prefix: string): string => `${prefix.toLowerCase()}.`;

/** A new address: random, or the prefix, a dot and random characters. */
export const drawAddress = (random: Random, maskDomain: string, prefix: string | null): EmailAddress =>
  prefix === null
    ? `${randomText(random, localLength)}@${maskDomain}`
    : `${beginning(prefix)}${randomText(random, suffixLength)}@${maskDomain}`;

/** Draws addresses until one was never given out, and reserves it. */
export const reserveAddress = async (
  db: Db,
  at: { readonly random: Random; readonly now: number },
  maskDomain: string,
  prefix: string | null,
): Promise<EmailAddress> => {
  for (let drawing = 0; drawing < drawings; drawing++) {
    const address = drawAddress(at.random, maskDomain, prefix);
    if (await claimAddress(db, mailboxKey(address), at.now)) return address;
  }
  throw new Error(`no free mask address in ${drawings} drawings`);
};

const hasPrefix = (address: EmailAddress, prefix: string | null): boolean => {
  const local = localPartOf(address);
  return prefix === null
    ? !local.includes(".")
    : local.startsWith(beginning(prefix)) && local.length === beginning(prefix).length + suffixLength;
};

/** The latest of a mask's own addresses that has this prefix, so that going back to a prefix gives the old address again. */
export const earlierAddress = async (
  db: Db,
  maskId: string,
  maskDomain: string,
  prefix: string | null,
): Promise<EmailAddress | undefined> => {
  const addresses = await addressesOf(db, maskId);
  return addresses
    .map(({ email_key }) => email_key)
    .findLast((address) => domainOf(address) === mailboxKey(maskDomain) && hasPrefix(address, prefix));
};
