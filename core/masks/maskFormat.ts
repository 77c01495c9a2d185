import * as t from "io-ts";
import { refined, requiredText, withMessage } from "../api/textCodecs.ts";
import { domainName } from "../mail/domainName.ts";

const between = (least: number, most: number): t.Type<number, number, unknown> =>
  refined(t.number, (count) => Number.isInteger(count) && count >= least && count <= most, "");

/**
 * The random part of a mask's address: `length` letters and digits (4.8 random bits each), `length` words (11 bits each), or a
 * UUID of version 4 (122 bits). The shortest have 43 bits; the longest leaves room for a prefix in 64 octets.
 */
export const MaskFormat = withMessage(
  t.union([
    t.exact(t.type({ kind: t.literal("letters"), length: between(9, 32) })),
    t.exact(t.type({ kind: t.literal("words"), length: between(4, 5) })),
    t.exact(t.type({ kind: t.literal("uuid") })),
  ]),
  "Choose 9 to 32 letters, 4 or 5 words, or a UUID",
);
export type MaskFormat = t.TypeOf<typeof MaskFormat>;

/** The format of an account that has chosen none: 48 random bits, after a prefix too. */
export const usualFormat: MaskFormat = { kind: "letters", length: 10 };

/** Returns a stored format; undefined for none, and for one that only newer versions know. */
export const readMaskFormat = (stored: unknown): MaskFormat | undefined =>
  MaskFormat.is(stored) ? stored : undefined;

const localPartMessage = "Use letters, digits and . _ + - before the @, at most 64 characters";

/** The fields of a new mask's address, which extend the contract. */
export const addressFields = {
  format: MaskFormat,
  /** One of the user's domains; absent means that of the installation. */
  domain: domainName("Please choose one of your domains"),
  /** The name before the "@" at that domain; generated where it is absent. */
  localPart: refined(
    requiredText(localPartMessage),
    (text) => /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*$/.test(text) && text.length <= 64,
    localPartMessage,
  ),
};
