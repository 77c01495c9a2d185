import { domainOf, type EmailAddress, localPartOf, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Db } from "../store/database.ts";
import { claimAddress, findMaskAddresses } from "./maskQueries.ts";

/** No vowels, so that no words appear, and no characters that look alike. */
const alphabet = "bcdfghjkmnpqrstvwxyz23456789";
const fairByteLimit = 256 - (256 % alphabet.length);

/** 10 of 28 characters are 48 random bits, too many to guess an address. */
const localLength = 10;
/** 5 of 28 characters are 24 random bits, in addition to the prefix. */
const suffixLength = 5;

const maxAttempts = 20;

/** Each character has the same probability. */
const randomText = (random: Random, length: number): string => {
  let text = "";
  while (text.length < length)
    for (const byte of random.bytes(length))
      if (byte < fairByteLimit && text.length < length) text += alphabet[byte % alphabet.length];
  return text;
};

const prefixPart = (prefix: string): string => `${prefix.toLowerCase()}.`;

/** Returns a new address: random, or the prefix, a dot and random characters. */
export const generateAddress = (random: Random, maskDomain: string, prefix: string | null): EmailAddress =>
  prefix === null
    ? `${randomText(random, localLength)}@${maskDomain}`
    : `${prefixPart(prefix)}${randomText(random, suffixLength)}@${maskDomain}`;

/** Generates addresses until one was never assigned, and reserves it. */
export const reserveAddress = async (
  db: Db,
  source: { readonly random: Random; readonly now: number },
  maskDomain: string,
  prefix: string | null,
): Promise<EmailAddress> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const address = generateAddress(source.random, maskDomain, prefix);
    if (await claimAddress(db, mailboxKey(address), source.now)) return address;
  }
  throw new Error(`no free mask address after ${maxAttempts} attempts`);
};

const hasPrefix = (address: EmailAddress, prefix: string | null): boolean => {
  const local = localPartOf(address);
  return prefix === null
    ? !local.includes(".")
    : local.startsWith(prefixPart(prefix)) && local.length === prefixPart(prefix).length + suffixLength;
};

/** Returns the mask's latest address with this prefix, so that a return to a prefix restores the address. */
export const findEarlierAddress = async (
  db: Db,
  maskId: string,
  maskDomain: string,
  prefix: string | null,
): Promise<EmailAddress | undefined> => {
  const addresses = await findMaskAddresses(db, maskId);
  return addresses
    .map(({ email_key }) => email_key)
    .findLast((address) => domainOf(address) === mailboxKey(maskDomain) && hasPrefix(address, prefix));
};
