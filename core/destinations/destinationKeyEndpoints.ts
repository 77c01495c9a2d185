import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";

const params = t.type({ id: t.string });
const end = t.union([t.string, t.null]);

/** A key that mail to a destination is encrypted to. */
const DestinationKey = t.type({
  /** Upper-case hexadecimal. */
  fingerprint: t.string,
  /** ASCII-armored. */
  publicKey: t.string,
  /** The time at which it was added, in ISO 8601. */
  added: t.string,
  /** The end of the time in which mail can be encrypted to it, in ISO 8601; null without an end, or before that is known. */
  expires: end,
});
export type DestinationKey = t.TypeOf<typeof DestinationKey>;

/** A key that was found for a destination. It is used only when its owner adds it (`addKeys` of the destination). */
export const OfferedKey = t.type({
  /** Upper-case hexadecimal. */
  fingerprint: t.string,
  /** ASCII-armored. */
  publicKey: t.string,
  /** The user ids that name the address. */
  userIds: t.array(t.string),
  /** Of the part that encrypts, for people: "RSA 3072", "X25519". */
  algorithm: t.string,
  /** In ISO 8601. */
  created: t.string,
  /** The end of the time in which mail can be encrypted to it, in ISO 8601; null without an end. */
  expires: end,
});
export type OfferedKey = t.TypeOf<typeof OfferedKey>;

/** Returns the keys of a destination, the oldest first, and the newest one that came with a mail of its owner (Autocrypt). */
export const listDestinationKeys = endpoint("GET", "/destinations/:id/keys", {
  params,
  answer: t.type({ keys: t.array(DestinationKey), offered: t.union([OfferedKey, t.null]) }),
});

/** The reasons for which a search found no key that can be used; a later version may have others. */
export const keySearchRefusals = [
  /** The domain of the address has no key server. */
  "no-server",
  /** The key server has none for the address. */
  "no-key",
  /** The key server has answered with `status`. */
  "status",
  "timeout",
  /** Its certificate is not valid. */
  "certificate",
  /** It is in a network that is not reached. */
  "private-network",
  "unreachable",
  "too-large",
  "not-a-key",
  /** The key has no user id of the address. */
  "other-address",
  "expired",
  "revoked",
  "cannot-encrypt",
  /** Of too few bits, or signed with SHA-1. */
  "weak",
  "unusable",
] as const;
export type KeySearchRefusal = (typeof keySearchRefusals)[number];

const KeySearch = t.intersection([
  t.type({
    found: t.union([OfferedKey, t.null]),
    /** One of `keySearchRefusals`; null when a key was found. */
    refusal: t.union([t.string, t.null]),
  }),
  /** Of HTTP, with the refusal "status". */
  t.partial({ status: t.number }),
]);
export type KeySearch = t.TypeOf<typeof KeySearch>;

/**
 * Asks the domain of a confirmed destination for its key (Web Key Directory), and changes nothing. 409 for an address that
 * is not confirmed, 429 beyond 20 searches an hour.
 */
export const searchDestinationKey = endpoint("POST", "/destinations/:id/keys/search", {
  params,
  answer: KeySearch,
});
