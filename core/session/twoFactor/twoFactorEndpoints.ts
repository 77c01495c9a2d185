import * as t from "io-ts";
import { endpoint } from "../../api/endpoint.ts";
import { openAnswer } from "../../api/wireCodecs.ts";
import { SecondFactor, TwoFactorCode } from "../oneTimeCode.ts";
import { RecoveryCode } from "./recoveryCode.ts";

/** Returns the status and the number of unused recovery codes. A server may lack this endpoint. */
export const getTwoFactor = endpoint("GET", "/account/2fa", {
  answer: t.type({ enabled: t.boolean, recoveryCodesLeft: t.number }),
});

/** A secret that is not verified yet; the client reports missing fields. */
const SetupOffer = openAnswer(t.partial({ secret: t.string, uri: t.string }));
export type SetupOffer = t.TypeOf<typeof SetupOffer>;

/**
 * Generates a secret for an authenticator. It has no effect until one of its codes is verified; another call replaces
 * it. `secret` is in base 32, `uri` is the content of the QR code. 409 while two-factor authentication is on.
 */
export const setUpTwoFactor = endpoint("POST", "/account/2fa/setup", {
  needsRecentProof: true,
  answer: SetupOffer,
});

const ShownCodes = openAnswer(t.partial({ recoveryCodes: t.array(RecoveryCode) }));
export type ShownCodes = t.TypeOf<typeof ShownCodes>;

/** Turns two-factor authentication on; the response is the only one with the recovery codes. 409 for a setup that has expired. */
export const verifySetup = endpoint("POST", "/account/2fa/verify", {
  needsRecentProof: true,
  body: t.type({ code: TwoFactorCode }),
  answer: ShownCodes,
});

/**
 * Turns two-factor authentication off; requires a code of the authenticator or a recovery code. 409 while it is off, and when "passkeys
 * only" needs it.
 */
export const disableTwoFactor = endpoint("DELETE", "/account/2fa", {
  needsRecentProof: true,
  body: t.type({ code: SecondFactor }),
});

/** Replaces the recovery codes; the old ones become invalid. 409 while two-factor authentication is off. */
export const renewRecoveryCodes = endpoint("POST", "/account/2fa/recovery-codes", {
  needsRecentProof: true,
  body: t.type({ code: TwoFactorCode }),
  answer: ShownCodes,
});
