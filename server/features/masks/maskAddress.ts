import type { Selectable } from "kysely";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { type EmailAddress, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { type MaskFormat, readMaskFormat, usualFormat } from "../../../core/masks/maskFormat.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UsersTable } from "../../platform/store/tables.ts";
import { addressWords } from "./addressWords.ts";
import { claimAddress, findMaskAddresses } from "./maskQueries.ts";

/** No vowels, so that no words appear, and no characters that look alike. */
const alphabet = "bcdfghjkmnpqrstvwxyz23456789";
const fairByteLimit = 256 - (256 % alphabet.length);

const maxAttempts = 20;

/** Each character has the same probability. */
const randomText = (random: Random, length: number): string => {
  let text = "";
  while (text.length < length)
    for (const byte of random.bytes(length))
      if (byte < fairByteLimit && text.length < length) text += alphabet[byte % alphabet.length];
  return text;
};

/** Each word has the same probability: 16 random bits are taken modulo a power of two. */
const randomWords = (random: Random, count: number): string =>
  Array.from({ length: count }, () => {
    const [high = 0, low = 0] = random.bytes(2);
    return addressWords[(high * 256 + low) % addressWords.length];
  }).join("-");

/** Returns a UUID of version 4 (RFC 9562, 5.4). */
const randomUuid = (random: Random): string =>
  randomHex(random, 16).replace(
    /^(.{8})(.{4}).(.{3})(.)(.{3})(.{12})$/,
    (_, ...[low, mid, high, variant, clock, node]: readonly string[]) =>
      `${low}-${mid}-4${high}-${((Number.parseInt(variant ?? "", 16) & 3) | 8).toString(16)}${clock}-${node}`,
  );

const randomPart = (random: Random, format: MaskFormat): string => {
  switch (format.kind) {
    case "letters":
      return randomText(random, format.length);
    case "words":
      return randomWords(random, format.length);
    case "uuid":
      return randomUuid(random);
  }
};

const wordSet: ReadonlySet<string> = new Set(addressWords);

/** Random characters that any version has generated, after a prefix or without one. */
const randomForm = new RegExp(
  `^(?:[${alphabet}]{5,32}|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$`,
);

/** True if a local part has the form of a generated one: only its random part counts, which stands after the last dot. */
export const isGenerated = (localPart: string): boolean => {
  const random = localPart.slice(localPart.lastIndexOf(".") + 1);
  const words = random.split("-");
  return (
    randomForm.test(random) ||
    ((words.length === 4 || words.length === 5) && words.every((word) => wordSet.has(word)))
  );
};

const prefixPart = (prefix: string): string => `${prefix.toLowerCase()}.`;

/** The choices that an address is made by. */
export interface AddressParts {
  readonly prefix: string | null;
  /** undefined while the user has chosen none. */
  readonly format: MaskFormat | undefined;
}

/**
 * Returns a new address: random, or the prefix, a dot and a random part, of the chosen format or else the usual one. A
 * prefix that others know makes nothing easier to guess: the random part has at least 43 bits without it.
 */
export const generateAddress = (
  random: Random,
  maskDomain: string,
  { prefix, format }: AddressParts,
): EmailAddress => {
  const chance = randomPart(random, format ?? usualFormat);
  return `${prefix === null ? "" : prefixPart(prefix)}${chance}@${maskDomain}`;
};

/** Returns the format that a user has chosen for new masks. */
export const chosenFormat = ({
  mask_format: stored,
}: Pick<Selectable<UsersTable>, "mask_format">): { readonly maskFormat?: MaskFormat } => {
  const maskFormat = stored === null ? undefined : readMaskFormat(JSON.parse(stored));
  return maskFormat ? { maskFormat } : {};
};

/** Generates addresses until one was never assigned, and reserves it. */
export const reserveAddress = async (
  db: Db,
  source: { readonly random: Random; readonly now: number },
  maskDomain: string,
  parts: AddressParts,
): Promise<EmailAddress> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const address = generateAddress(source.random, maskDomain, parts);
    if (await claimAddress(db, mailboxKey(address), source.now)) return address;
  }
  throw new Error(`no free mask address after ${maxAttempts} attempts`);
};

const hasPrefix = (address: EmailAddress, prefix: string | null): boolean => {
  const local = localPartOf(address);
  return prefix === null
    ? !local.includes(".")
    : local.startsWith(prefixPart(prefix)) && !local.slice(prefixPart(prefix).length).includes(".");
};

/** Returns the mask's latest address with this prefix, so that a return to a prefix restores the address. */
export const findEarlierAddress = async (
  db: Db,
  maskId: string,
  domain: DomainName,
  prefix: string | null,
): Promise<EmailAddress | undefined> => {
  const addresses = await findMaskAddresses(db, maskId);
  return addresses
    .map(({ email_key }) => email_key)
    .findLast((address) => isAtDomain(address, domain) && hasPrefix(address, prefix));
};
