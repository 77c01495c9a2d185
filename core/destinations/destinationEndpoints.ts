import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { isMore, listPage } from "../api/listPage.ts";
import { isStorable, refined, withMessage } from "../api/textCodecs.ts";
import { emailAddress } from "../mail/emailAddress.ts";

/** An address that mail of a user's masks goes to, or went to (D33). */
export const Destination = t.type({
  id: t.string,
  email: t.string,
  /** The name that the user gave it; may be empty. */
  name: t.string,
  status: t.union([t.literal("confirmed"), t.literal("awaiting-confirmation")]),
  /** The number of masks that forward to it; rules that do are not counted. */
  masks: t.number,
  /** True if new masks forward to it unless they name another one. */
  isDefault: t.boolean,
  /** True for the address of the account, which cannot be removed. */
  isAccount: t.boolean,
  /** The fingerprint of its oldest key, in upper-case hexadecimal; null without keys of its own, to use that of the account. */
  keyFingerprint: t.union([t.string, t.null]),
});
export type Destination = t.TypeOf<typeof Destination>;

export const maxDestinationName = 60;

/** One for each device of a careful person. */
export const maxDestinationKeys = 5;

const Name = refined(
  withMessage(t.string, "Enter a name"),
  (name) => name.length <= maxDestinationName && isStorable(name),
  `Use at most ${maxDestinationName} characters`,
);

const params = t.type({ id: t.string });

/**
 * Lists the user's destinations, oldest first: all, or at most `limit` (1 to 1,000) of those that follow the destination `after`.
 * `isMore` says that others follow. Extends the contract.
 */
export const listDestinations = endpoint("GET", "/destinations", {
  tokens: "destinations",
  params: t.partial(listPage),
  answer: t.intersection([t.type({ destinations: t.array(Destination) }), t.partial(isMore)]),
});

const AddedDestination = t.intersection([Destination, t.type({ confirmationSent: t.boolean })]);
export type AddedDestination = t.TypeOf<typeof AddedDestination>;

/**
 * Adds a destination, which needs a recent proof of a session, or sends its confirmation again; `confirmationSent` is false if not
 * needed or too recent.
 */
export const postDestination = endpoint("POST", "/destinations", {
  tokens: "destinations",
  body: t.type({
    email: emailAddress({
      required: "Please enter a valid email address",
      invalid: "Please enter a valid email address",
    }),
  }),
  answer: AddedDestination,
});

const DestinationChange = t.partial({
  name: Name,
  /** Makes a confirmed destination the default, instead of the one before. */
  isDefault: t.literal(true),
  /** An ASCII-armored OpenPGP public key that replaces all keys of the destination; null for the key of the account. */
  publicKey: t.union([t.string, t.null]),
  /** Fingerprints of keys that mail to it is no longer encrypted to. */
  removeKeys: t.array(t.string),
  /** ASCII-armored keys that mail to it is encrypted to besides the others, at most `maxDestinationKeys` together. */
  addKeys: t.array(t.string),
});
export type DestinationChange = t.TypeOf<typeof DestinationChange>;

/**
 * Changes a destination; what is left out stays as it is. 404 when the user has none with this id, 409 for a default that is not
 * confirmed.
 */
export const patchDestination = endpoint("PATCH", "/destinations/:id", {
  tokens: "destinations",
  params,
  body: DestinationChange,
  answer: Destination,
});

/**
 * The treatment of the masks that forward to a removed destination and to no other: they forward to `to`, the id of a confirmed
 * destination, or are switched off and forward to the account's address.
 */
const DestinationRemoval = t.type({
  masks: t.union([
    t.type({ kind: t.literal("move"), to: t.string }),
    t.type({ kind: t.literal("switchOff") }),
  ]),
});
export type DestinationRemoval = t.TypeOf<typeof DestinationRemoval>;

/** Removes a destination; 409 for the address of the account. Mail that is under way to it is delivered. */
export const deleteDestination = endpoint("DELETE", "/destinations/:id", {
  tokens: "destinations",
  params,
  body: DestinationRemoval,
});
