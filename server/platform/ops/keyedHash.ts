import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { codeDigits } from "../../../core/api/textCodecs.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { OneTimeCode } from "../../../core/session/oneTimeCode.ts";

const secretBytes = 32;

/** Creates a secret for a cookie, a ticket, or a link: 256 random bits as 43 URL-safe characters. */
export const newSecret = (random: Random): string =>
  Buffer.from(random.bytes(secretBytes)).toString("base64url");

/** 000001 to 999999; 000000 is reserved for the probe of existing accounts (D35). */
const codes = 10 ** codeDigits - 1;
const range = 2 ** 32;
const fair = range - (range % codes);

/** Creates a uniformly distributed code, by rejection sampling. */
export const newCode = (random: Random): OneTimeCode => {
  for (;;) {
    const drawn = Buffer.from(random.bytes(4)).readUInt32BE();
    if (drawn < fair) return String((drawn % codes) + 1).padStart(codeDigits, "0");
  }
};

/** Hashes a secret for the store: HMAC-SHA256 with the installation's key. `purpose` separates kinds of secrets. */
export type KeyedHash = (
  purpose:
    | "code"
    | "address-change"
    | "proof-code"
    | "ticket"
    | "invitation"
    | "sign-in-link"
    | "session"
    | "session-mark"
    | "csrf"
    | "confirmation"
    | "asked-reader"
    | "second-factor"
    | "recovery"
    | "report"
    | "listed-sender"
    | "held-link"
    | "action-link"
    | "unsubscribe-link"
    | "unsubscribe-target"
    | "mailing-list"
    | "wrong-codes"
    | "code-mails"
    | "passkey-challenge"
    | "refused-passkeys"
    | "known-browser"
    | "api-token"
    | "offered-suffix"
    | "failed-reply"
    | "webhook-message"
    | "sign-on"
    | "logout-token"
    | "rate",
  ...parts: string[]
) => string;

export const createKeyedHash = (key: Uint8Array): KeyedHash => {
  const secret = createSecretKey(key);
  return (...parts) => createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url");
};

/** Compares two hashes or secrets in constant time. */
export const sameHash = (one: string, other: string): boolean => {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
};
