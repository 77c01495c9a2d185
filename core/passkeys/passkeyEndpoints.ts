import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { isStorable, refined, requiredText } from "../api/textCodecs.ts";
import { PasskeyOfferAnswer } from "../session/passkeyOfferAnswer.ts";
import { LoginAnswer } from "../session/sessionEndpoints.ts";

/** The most passkeys of an account. */
export const maxPasskeys = 20;

export const maxPasskeyName = 60;

/** Long enough for certificates of security keys, which some browsers send without being asked. */
const longestPart = 32_768;

/** Bytes in base64url, as WebAuthn writes them in JSON. */
export const base64Url = refined(
  t.string,
  (text) => text.length <= longestPart && /^[\w-]*$/.test(text),
  "This is not what a passkey answers",
);

/** A way to log in with a device, a password manager or a security key. Dates are ISO 8601. */
export const Passkey = t.type({
  id: t.string,
  name: t.string,
  created: t.string,
  /** null before the first use. */
  lastUsed: t.union([t.string, t.null]),
  /** True if its provider copies it to other devices of the user; other passkeys are bound to one. */
  isSynced: t.boolean,
  /** True if a backup of the key in use is locked with it, so that it opens mail on another device. */
  opensMail: t.boolean,
  /** True if the session of this request was opened with it, and ends with it. */
  isCurrent: t.boolean,
});
export type Passkey = t.TypeOf<typeof Passkey>;

/** The passkeys of an account, and whether a code by mail alone still logs in. */
export const Passkeys = t.type({
  passkeys: t.readonlyArray(Passkey),
  only: t.boolean,
  /** True if there are two passkeys, or one and recovery codes, which "passkeys only" needs. */
  mayBeOnly: t.boolean,
});
export type Passkeys = t.TypeOf<typeof Passkeys>;

/** The options that the browser gives to the authenticator, as WebAuthn writes them in JSON. */
const AuthenticatorOptions = t.type({ options: t.record(t.string, t.unknown) });

const answered = {
  id: base64Url,
  rawId: base64Url,
  type: t.literal("public-key"),
};

/** The answer of an authenticator that has made a passkey (RegistrationResponseJSON). */
export const MadePasskey = t.type({
  ...answered,
  response: t.intersection([
    t.type({ clientDataJSON: base64Url, attestationObject: base64Url }),
    t.partial({ transports: t.array(t.string) }),
  ]),
});
export type MadePasskey = t.TypeOf<typeof MadePasskey>;

/** The answer of an authenticator that has signed with a passkey (AuthenticationResponseJSON). */
export const UsedPasskey = t.type({
  ...answered,
  response: t.intersection([
    t.type({ clientDataJSON: base64Url, authenticatorData: base64Url, signature: base64Url }),
    t.partial({ userHandle: base64Url }),
  ]),
});
export type UsedPasskey = t.TypeOf<typeof UsedPasskey>;

const Name = refined(
  requiredText("Name the passkey"),
  (name) => name.length <= maxPasskeyName && isStorable(name),
  `Use at most ${maxPasskeyName} characters`,
);

const params = t.type({ id: t.string });

/** Lists the caller's passkeys, newest first. */
export const listPasskeys = endpoint("GET", "/account/passkeys", { answer: Passkeys });

/** Returns what the browser needs to make a passkey; it can be used once, for 5 minutes. 409 beyond 20 passkeys. */
export const getPasskeyOptions = endpoint("POST", "/account/passkeys/options", {
  needsRecentProof: true,
  answer: AuthenticatorOptions,
});

/** Adds the passkey that the authenticator has made; 409 when it is there already, and when its options are used or expired. */
export const postPasskey = endpoint("POST", "/account/passkeys", {
  status: 201,
  body: MadePasskey,
  answer: Passkey,
});

/** Renames a passkey; 404 when the caller has none with this id. */
export const patchPasskey = endpoint("PATCH", "/account/passkeys/:id", {
  params,
  body: t.type({ name: Name }),
  answer: Passkey,
});

/**
 * Removes a passkey and ends the sessions that were opened with it, possibly the current one. 404 when the caller has none
 * with this id, 409 when "passkeys only" needs it.
 */
export const deletePasskey = endpoint("DELETE", "/account/passkeys/:id", { needsRecentProof: true, params });

/** Takes passkeys only from now on, or codes by mail again; 409 without two passkeys, or one and recovery codes. */
export const putPasskeysOnly = endpoint("PUT", "/account/passkeys-only", {
  needsRecentProof: true,
  body: t.type({ only: t.boolean }),
  answer: Passkeys,
});

/** Stores what the user answers to the offer of a passkey. */
export const putPasskeyOffer = endpoint("PUT", "/account/passkey-offer", {
  body: t.type({ answer: PasskeyOfferAnswer }),
});

/** Returns what the browser needs to log in with a passkey, once and for 5 minutes; 403 where only an identity provider logs in. */
export const getSignInOptions = endpoint("POST", "/login/passkey/options", {
  authentication: "none",
  answer: AuthenticatorOptions,
});

/**
 * Logs in with a passkey, without an address. A passkey that has verified its holder is both factors; after another one the
 * second factor is asked for, and `email` names the account for it. 401 for a passkey that is not known or cannot be checked, 403 for a
 * suspended account, and where only an identity provider logs in.
 */
export const signInWithPasskey = endpoint("POST", "/login/passkey", {
  authentication: "none",
  body: UsedPasskey,
  answer: LoginAnswer,
});

/** Returns what the browser needs to confirm with a passkey that it is the user; it can be used once, for 5 minutes. */
export const getProofOptions = endpoint("POST", "/account/proof/passkey/options", {
  answer: AuthenticatorOptions,
});

/** Confirms with a passkey of the account that it is the user, for five minutes. */
export const proveByPasskey = endpoint("PUT", "/account/proof/passkey", { body: UsedPasskey });
