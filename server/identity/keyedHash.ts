import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * What the store keeps instead of a secret: HMAC-SHA256 under the installation's key. `purpose` keeps the hash of one
 * kind of secret from being taken for another's.
 */
export type KeyedHash = (
  purpose:
    | "code"
    | "address-change"
    | "ticket"
    | "session"
    | "session-mark"
    | "csrf"
    | "confirmation"
    | "asked-reader"
    | "second-factor"
    | "recovery",
  ...parts: string[]
) => string;

export const makeKeyedHash =
  (key: Uint8Array): KeyedHash =>
  (...parts) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");

/** Compares two hashes in a time that does not tell where they differ. */
export const sameHash = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
