import { createHash } from "node:crypto";
import { mailboxKey, withoutTag } from "../../../../core/mail/emailAddress.ts";
import { commonSpelling } from "../mailboxSpelling.ts";

/** The digests by which programs name the picture or the account of an address, as Gravatar does. */
const algorithms = ["md5", "sha1", "sha256", "sha512"] as const;

const hexOf = (text: string): string => Buffer.from(text).toString("hex");
const digestsOf = (address: string): readonly string[] =>
  algorithms.map((algorithm) => createHash(algorithm).update(address).digest("hex"));

const spellingsOf = (address: string): readonly string[] => [
  ...new Set([address, mailboxKey(address), mailboxKey(withoutTag(address)), commonSpelling(address)]),
];

/** Shorter runs are neither a digest nor an address in hexadecimal digits. */
const hexRun = /[0-9a-f]{10,}/g;

/** A place in a text, and what stands there instead. */
export interface FoundHash {
  readonly index: number;
  readonly length: number;
  readonly replacement: string;
}

/**
 * Creates the search for digests of addresses and for addresses in hexadecimal digits, in a text in lower case; the
 * replacement is the same of another address. Takes time in proportion to the text.
 */
export const createFindHashes = (
  addresses: readonly string[],
  other: string,
): ((text: string) => readonly FoundHash[]) => {
  const otherDigests = digestsOf(mailboxKey(other));
  const digests = new Map<string, string>();
  const inHex = new Set<string>();
  for (const spelling of addresses.flatMap(spellingsOf)) {
    for (const [n, digest] of digestsOf(spelling).entries()) digests.set(digest, otherDigests[n] ?? "");
    inHex.add(hexOf(spelling));
  }
  const longestFirst = [...inHex].toSorted((one, another) => another.length - one.length);
  const inRun = (run: string, at: number): readonly FoundHash[] => {
    const digest = digests.get(run);
    if (digest !== undefined) return [{ index: at, length: run.length, replacement: digest }];
    const hex = longestFirst.find((one) => run.includes(one));
    if (hex === undefined) return [];
    return [{ index: at, length: run.length, replacement: run.replaceAll(hex, () => hexOf(other)) }];
  };
  return (text) => [...text.matchAll(hexRun)].flatMap(({ index, 0: run }) => inRun(run, index));
};
