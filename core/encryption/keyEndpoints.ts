import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { completed, readableList } from "../api/wireCodecs.ts";

/** `awaiting-device-key`: the server waits for the public half of a key generated on a device (D40). */
const KeyStatus = completed(
  t.intersection([
    t.type({ status: t.string }),
    t.partial({
      /** The fingerprint of the key in use, in upper-case hexadecimal. */
      fingerprint: t.string,
      message: t.string,
    }),
  ]),
  (given) => given,
);
export type KeyStatus = t.TypeOf<typeof KeyStatus>;

/** A missing body decodes as an empty one. */
const PublicKeyOffer = new t.Type<{ readonly publicKey?: string }, { publicKey?: string }, unknown>(
  "public key",
  t.partial({ publicKey: t.string }).is,
  (u, context) => t.partial({ publicKey: t.string }).validate(u ?? {}, context),
  ({ publicKey }) => (publicKey === undefined ? {} : { publicKey }),
);

/**
 * Saves an ASCII-armored OpenPGP public key (RFC 9580, 6.2), which needs a recent proof; later mail is encrypted to it (KE3). Without
 * one it returns the status.
 */
export const setUpKeys = endpoint("POST", "/keys/setup", { body: PublicKeyOffer, answer: KeyStatus });

/** Returns whether mail is encrypted, and the fingerprint of the key. */
export const getKeyStatus = endpoint("GET", "/keys/status", { answer: KeyStatus });

const PublicKey = t.intersection([
  t.type({
    publicKey: t.string,
    fingerprint: t.string,
    /** The time at which the server saved it, in ISO 8601. */
    created: t.string,
  }),
  /** True if everybody who knows a mask of the user can look it up (Web Key Directory). */
  t.partial({ published: t.boolean }),
]);
export type PublicKey = t.TypeOf<typeof PublicKey>;

const PublicKeys = completed(t.type({ keys: readableList(PublicKey) }), (given) => ({ keys: [], ...given }));
/** Returns the public key in use, if any; private keys never leave their device. */
export const getKeys = endpoint("GET", "/keys", { answer: PublicKeys });

/** The changed keys as the socket announces them: the status and the keys in one. */
export const AnnouncedKeys = t.intersection([KeyStatus, PublicKeys]);
export type AnnouncedKeys = t.TypeOf<typeof AnnouncedKeys>;

const Publication = t.type({ published: t.boolean });
export type Publication = t.TypeOf<typeof Publication>;

/** Sets whether senders can look up the key by the address of a mask; 409 when there is no key. */
export const publishKey = endpoint("PUT", "/keys/published", { body: Publication, answer: Publication });

/** Deletes the key; later mail is forwarded unencrypted. */
export const deleteKeys = endpoint("DELETE", "/keys", { needsRecentProof: true, answer: KeyStatus });
