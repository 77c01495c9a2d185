import { domainOf, localPartOf, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Sender } from "../../core/mail/forwardedFrom.ts";
import { forwardedName, unverifiedMark } from "../senders/forwardedName.ts";
import { createReversePattern } from "./reverseAddress.ts";

/** What a reply must not reveal, and its replacements. */
export interface Disguise {
  readonly maskEmail: string;
  /** The mask's description, which nobody else may read. */
  readonly description: string;
  readonly maskDomain: string;
  readonly ownerAddresses: readonly string[];
  /** The mask's correspondents, by the local part of their reverse address. */
  readonly correspondents: ReadonlyMap<string, Sender>;
}

/** Replaces everything in a text that must not be revealed. Throws `GrownTooLong`. */
export type Replace = (text: string) => string;

/** The replacements make a text more than twice as long, and 64 KiB longer. */
export class GrownTooLong extends Error {}

const freeGrowth = 64 * 1024;

/** Throws `GrownTooLong` as soon as the replacements are too long, before they are joined. */
const replaceWithin = (text: string, pattern: RegExp, replacementOf: (found: string) => string): string => {
  let room = text.length + freeGrowth;
  return text.replace(pattern, (found) => {
    const replacement = replacementOf(found);
    room -= Math.max(0, replacement.length - found.length);
    if (room < 0) throw new GrownTooLong();
    return replacement;
  });
};

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const at = "(?:@|%40|&#64;|&#x40;|&commat;)";
const dot = "(?:\\.|%2E|&#46;|&#x2e;|&period;)";
const anyForm = (text: string): string => text.split(".").map(escapePattern).join(dot);

/** Matches an address as HTML and links contain it, with or without a tag (me+tag@…). */
const addressPattern = (address: string): string => {
  const local = localPartOf(address).replace(/\+.*$/, "");
  return `${anyForm(local)}(?:(?:\\+|%2B|&#43;)[^\\s@<>"'%&;,]{0,64})?${at}${anyForm(domainOf(address))}`;
};

/** Creates the replacement of the owner's addresses by the mask, and of reverse addresses by the real ones. */
export const createReplace = (disguise: Disguise): Replace => {
  const { maskEmail, description, maskDomain, ownerAddresses, correspondents } = disguise;
  const owners = [...new Set(ownerAddresses.map(mailboxKey))].sort((a, b) => b.length - a.length);
  const ownPattern =
    owners.length === 0
      ? null
      : new RegExp(
          `(?:(?<![\\p{L}\\p{N}._-])|(?<=%[0-9A-F]{2}))(?:${owners.map(addressPattern).join("|")})(?![\\p{L}\\p{N}-])`,
          "giu",
        );
  const reversePattern = createReversePattern(maskDomain);
  const names = new Map(
    [...correspondents.values()].flatMap((sender) => {
      const name = sender.name || sender.address;
      const withDescription = forwardedName(sender, false, { shown: "mask", description });
      return [withDescription, ...(sender.name === "" ? [] : [forwardedName(sender)])]
        .filter((shown) => shown !== name)
        .flatMap((shown) => [[`${unverifiedMark} ${shown}`, name] as const, [shown, name] as const]);
    }),
  );
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length);
  const namePattern =
    longestFirst.length === 0 ? null : new RegExp(longestFirst.map(escapePattern).join("|"), "gu");
  return (text) => {
    const replaceOwn = ownPattern ? replaceWithin(text, ownPattern, () => maskEmail) : text;
    const withReal = replaceWithin(replaceOwn, reversePattern, (found) => {
      const localPart = found.slice(0, found.search(/@|%40|&#/)).toLowerCase();
      return correspondents.get(localPart)?.address ?? maskEmail;
    });
    return namePattern
      ? replaceWithin(withReal, namePattern, (found) => names.get(found) ?? found)
      : withReal;
  };
};

/** Returns the local parts of the reverse addresses in a text. */
export const reverseLocalPartsIn = (text: string, maskDomain: string): readonly string[] => [
  ...new Set(
    (text.match(createReversePattern(maskDomain)) ?? []).map((found) =>
      found.slice(0, found.search(/@|%40|&#/)).toLowerCase(),
    ),
  ),
];
