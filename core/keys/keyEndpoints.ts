import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";

/** `awaiting-device-key`: the server makes no keys, it waits for the public half of one made on a device (D40). */
const KeyStatus = t.intersection([
  t.type({ status: t.string }),
  t.partial({
    /** Of the key in use, in upper-case hexadecimal. */
    fingerprint: t.string,
    message: t.string,
  }),
]);
export type KeyStatus = t.TypeOf<typeof KeyStatus>;

/** A call without a body means the same as an empty one. */
const PublicKeyOffer = new t.Type<{ readonly publicKey?: string }, { publicKey?: string }, unknown>(
  "public key",
  t.partial({ publicKey: t.string }).is,
  (u, context) => t.partial({ publicKey: t.string }).validate(u ?? {}, context),
  ({ publicKey }) => (publicKey === undefined ? {} : { publicKey }),
);

/** Takes an ASCII-armoured OpenPGP public key (RFC 9580, 6.2); mail that comes from then on is encrypted to it (KE3). */
export const setUpKeys = endpoint("POST", "/keys/setup", { body: PublicKeyOffer, answer: KeyStatus });

export const getKeyStatus = endpoint("GET", "/keys/status", { answer: KeyStatus });

const PublicKey = t.intersection([
  t.type({
    publicKey: t.string,
    fingerprint: t.string,
    /** When the server took it, in ISO 8601. */
    created: t.string,
  }),
  /** Whether whoever knows one of the user's masks can ask for it (Web Key Directory). */
  t.partial({ published: t.boolean }),
]);
export type PublicKey = t.TypeOf<typeof PublicKey>;

/** The public key in use, if any; private keys never leave their device. */
export const getKeys = endpoint("GET", "/keys", { answer: t.type({ keys: t.array(PublicKey) }) });

const Publication = t.type({ published: t.boolean });
export type Publication = t.TypeOf<typeof Publication>;

/** Whether senders can ask for the key by the address of a mask. 409 where there is none. */
export const publishKey = endpoint("PUT", "/keys/published", { body: Publication, answer: Publication });

/** Mail that comes from then on is forwarded as it comes. */
export const deleteKeys = endpoint("DELETE", "/keys", { answer: KeyStatus });
