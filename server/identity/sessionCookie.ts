import type { SessionRow } from "../store/sessions.ts";
import { type KeyedHash, sameHash } from "./keyedHash.ts";
import { refreshGraceMs } from "./lifetimes.ts";

/** What the httpOnly cookie of a session says. */
export interface SessionCookie {
  readonly sessionId: string;
  readonly secretHash: string;
}

const markOf = (hash: KeyedHash, sessionId: string, secret: string): string =>
  hash("session-mark", sessionId, secret);

/**
 * The cookie's value: the session, its secret, and a mark that only we can make. By the mark a secret of this session
 * that has been replaced is told from one that somebody made up, without keeping every secret there ever was.
 */
export const writeSessionCookie = (hash: KeyedHash, sessionId: string, secret: string): string =>
  [sessionId, secret, markOf(hash, sessionId, secret)].join(".");

/** Reads a cookie's value; undefined unless it was once given out by us. */
export const readSessionCookie = (hash: KeyedHash, value: string | undefined): SessionCookie | undefined => {
  const [sessionId = "", secret = "", mark = "", ...rest] = value?.split(".") ?? [];
  if (rest.length > 0 || !sameHash(mark, markOf(hash, sessionId, secret))) return undefined;
  return { sessionId, secretHash: hash("session", secret) };
};

/** `retired`: it was good once, and whoever shows it now has kept a copy. */
export type Standing = "current" | "previous" | "retired";

/**
 * What a secret of this session is worth now. The one before the last refresh stays good for 30 s, and as long as
 * nobody has shown the new one: then the answer that brought it was lost on its way.
 */
export const standingOf = (session: SessionRow, secretHash: string, now: number): Standing => {
  if (sameHash(session.secret_hash, secretHash)) return "current";
  const isPrevious = sameHash(session.previous_hash ?? "", secretHash);
  const isGood = session.secret_seen === 0 || isInGrace(session, now);
  return isPrevious && isGood ? "previous" : "retired";
};

/** Whether the last refresh was a moment ago. */
export const isInGrace = ({ rotated_at }: SessionRow, now: number): boolean =>
  rotated_at !== null && now < rotated_at + refreshGraceMs;
