import { Secret, TOTP } from "otpauth";
import type { OneTimeCode } from "../../core/session/oneTimeCode.ts";

/** As every authenticator reads it: SHA-1, 6 digits, 30 seconds (RFC 6238). */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const periodMs = parameters.period * 1_000;
/** How many steps before and after the present one count, for clocks that do not agree (RFC 6238, 5.2). */
const window = 1;

/** 160 random bits, the length of the hash (RFC 4226, 4). */
export const secretBytes = 20;

/** A secret as people type it: base 32 (RFC 4648). */
export const writeSecret = (bytes: Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;

/** What the QR code says: the secret, and under which name the authenticator lists it. */
export const setupUri = (
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
) => new TOTP({ ...parameters, issuer, label, secret: Secret.fromBase32(secret) }).toString();

/** The step that a code is of, the one before or the one after the present; null when it is of none of them. */
export const stepOf = (secret: string, code: OneTimeCode, now: number): number | null => {
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window });
  return delta === null ? null : Math.floor(now / periodMs) + delta;
};
