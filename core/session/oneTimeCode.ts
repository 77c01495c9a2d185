import type * as t from "io-ts";
import { requiredText, such } from "../contract/text.ts";

/** Six digits, as text: leading zeros count. */
export type OneTimeCode = string;

const digits = /^\d{6}$/;

const code = (required: string, malformed: string): t.Type<OneTimeCode, string, unknown> =>
  such(requiredText(required), (text) => digits.test(text), malformed);

/** The code that came by mail (SI3). */
export const SignInCode = code("Verification code is required", "Verification code must be 6 digits");

const missing = "2FA code is required";
const malformed = "2FA code must be 6 digits";

/** The code from the authenticator (SI4). */
export const TwoFactorCode = code(missing, malformed);

/**
 * What proves the second factor: the authenticator's code, or ten letters and digits that may be a recovery code in its
 * place (`recoveryCode.ts`).
 */
export const SecondFactor = such(
  requiredText(missing),
  (text) => /^(\d{6}|[\da-z]{5}[ -]?[\da-z]{5})$/i.test(text),
  malformed,
);

/** What the existence probe sends; never a valid code (SI12, D35). */
export const probeCode: OneTimeCode = "000000";
