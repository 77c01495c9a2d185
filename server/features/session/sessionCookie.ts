import { type KeyedHash, sameHash } from "../../platform/ops/keyedHash.ts";
import { recentCheckMs, refreshGraceMs } from "./lifetimes.ts";
import type { SessionRow } from "./sessionQueries.ts";

/** The content of the httpOnly cookie of a session. */
export interface SessionCookie {
  readonly sessionId: string;
  readonly secretHash: string;
}

const signatureOf = (hash: KeyedHash, sessionId: string, secret: string): string =>
  hash("session-mark", sessionId, secret);

/**
 * Returns the cookie value: session id, secret, and a signature. The signature distinguishes a replaced secret
 * from an invented one without storing old secrets.
 */
export const encodeSessionCookie = (hash: KeyedHash, sessionId: string, secret: string): string =>
  [sessionId, secret, signatureOf(hash, sessionId, secret)].join(".");

/** Reads a cookie value; undefined unless the server has signed it. */
export const decodeSessionCookie = (
  hash: KeyedHash,
  value: string | undefined,
): SessionCookie | undefined => {
  const [sessionId = "", secret = "", signature = "", ...rest] = value?.split(".") ?? [];
  if (rest.length > 0 || !sameHash(signature, signatureOf(hash, sessionId, secret))) return undefined;
  return { sessionId, secretHash: hash("session", secret) };
};

/** The state of a presented secret; a `retired` one was valid once and has been copied. */
export type SecretState = "current" | "previous" | "retired";

/**
 * Returns the state of a secret. The previous one stays valid for 30 s, and until the new one is first used,
 * because the response with it may have been lost.
 */
export const secretStateOf = (session: SessionRow, secretHash: string, now: number): SecretState => {
  if (sameHash(session.secret_hash, secretHash)) return "current";
  const isPrevious = sameHash(session.previous_hash ?? "", secretHash);
  const isGood = session.secret_seen === 0 || isInGrace(session, now);
  return isPrevious && isGood ? "previous" : "retired";
};

const wasReplacedWithin = ({ rotated_at }: SessionRow, now: number, ms: number): boolean =>
  rotated_at !== null && now < rotated_at + ms;

/** True if the last refresh happened within the grace period. */
export const isInGrace = (session: SessionRow, now: number): boolean =>
  wasReplacedWithin(session, now, refreshGraceMs);

/** True if the secret is so new that the one before may still be accepted without a check. */
export const isJustReplaced = (session: SessionRow, now: number): boolean =>
  wasReplacedWithin(session, now, recentCheckMs);
