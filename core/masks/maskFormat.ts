import * as t from "io-ts";
import { refined, requiredText, withMessage } from "../api/textCodecs.ts";
import { domainName } from "../mail/domainName.ts";

const letters = { least: 9, most: 32 };
const words = { least: 4, most: 5 };
/** Characters before the @ (RFC 5321, 4.5.3.1.1). */
const maxLocalPart = 64;

const between = (least: number, most: number): t.Type<number, number, unknown> =>
  refined(t.number, (count) => Number.isInteger(count) && count >= least && count <= most, "");

/**
 * The random part of a mask's address: `length` letters and digits (4.8 random bits each), `length` words (11 bits each), or a
 * UUID of version 4 (122 bits). The shortest have 43 bits; the longest leaves room for a prefix in 64 octets.
 */
export const MaskFormat = withMessage(
  t.union([
    t.exact(t.type({ kind: t.literal("letters"), length: between(letters.least, letters.most) })),
    t.exact(t.type({ kind: t.literal("words"), length: between(words.least, words.most) })),
    t.exact(t.type({ kind: t.literal("uuid") })),
  ]),
  `Choose ${letters.least} to ${letters.most} letters, ${words.least} or ${words.most} words, or a UUID`,
);
export type MaskFormat = t.TypeOf<typeof MaskFormat>;

/** The format of an account that has chosen none: 48 random bits, after a prefix too. */
export const usualFormat: MaskFormat = { kind: "letters", length: 10 };

/** Returns a stored format; undefined for none, and for one that only newer versions know. */
export const readMaskFormat = (stored: unknown): MaskFormat | undefined =>
  MaskFormat.is(stored) ? stored : undefined;

const localPartMessage = `Use letters, digits and . _ + - before the @, at most ${maxLocalPart} characters`;

/** The fields of a new mask's address, which extend the contract. */
export const addressFields = {
  format: MaskFormat,
  /** One of the user's domains; absent means that of the installation. */
  domain: domainName("Choose one of your domains"),
  /** The name before the "@" at that domain; generated where it is absent. */
  localPart: refined(
    requiredText(localPartMessage),
    (text) => /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*$/.test(text) && text.length <= maxLocalPart,
    localPartMessage,
  ),
};
