import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { SecondFactor, TwoFactorCode } from "../session/oneTimeCode.ts";
import { RecoveryCode } from "../session/recoveryCode.ts";

/** Whether it is on, and how many recovery codes are still good. A server may lack this call. */
export const getTwoFactor = endpoint("GET", "/account/2fa", {
  answer: t.type({ enabled: t.boolean, recoveryCodesLeft: t.number }),
});

/** A secret that waits for its first code; what a server leaves out, the client misses aloud (SG2). */
const SetupOffer = t.partial({ secret: t.string, uri: t.string });
export type SetupOffer = t.TypeOf<typeof SetupOffer>;

/**
 * Makes a secret for an authenticator (SG2). It protects nothing until a code of it has been verified; asking again
 * replaces it. `secret` in base 32, `uri` as authenticators read it from a QR code.
 */
export const setUpTwoFactor = endpoint("POST", "/account/2fa/setup", {
  answer: SetupOffer,
});

const ShownCodes = t.partial({ recoveryCodes: t.array(RecoveryCode) });
export type ShownCodes = t.TypeOf<typeof ShownCodes>;

/** Turns it on; the recovery codes are answered here and never again. */
export const verifySetup = endpoint("POST", "/account/2fa/verify", {
  body: t.type({ code: TwoFactorCode }),
  answer: ShownCodes,
});

/** Turns it off, for whoever has the authenticator or a recovery code. */
export const disableTwoFactor = endpoint("DELETE", "/account/2fa", { body: t.type({ code: SecondFactor }) });

/** Replaces the recovery codes by new ones; the older ones die. */
export const renewRecoveryCodes = endpoint("POST", "/account/2fa/recovery-codes", {
  body: t.type({ code: TwoFactorCode }),
  answer: ShownCodes,
});
