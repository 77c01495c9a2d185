import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfCookie } from "../../../core/api/csrf.ts";
import { type KeyedHash, sameHash } from "../../platform/ops/keyedHash.ts";
import {
  knownBrowserMs,
  recentCheckMs,
  refreshGraceMs,
  sessionLifetimeMs,
  ticketLifetimeMs,
} from "./lifetimes.ts";
import type { SessionRow } from "./sessionQueries.ts";

/** The cookies of sign-in, limited to this host and to same-site requests. */
export interface Cookies {
  readonly session: CookieJar;
  readonly signUp: CookieJar;
  /** Tells a browser that has signed in from others, while somebody guesses codes. */
  readonly browser: CookieJar;
  /** Readable by scripts, which send the value back in a header (RQ2). */
  readonly csrf: CookieJar;
}

export interface CookieJar {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (reply: FastifyReply, value: string, maxAgeMs?: number) => void;
  readonly clear: (reply: FastifyReply) => void;
}

/**
 * Creates the cookies. Over HTTPS the `__Host-` prefix prevents subdomains and plain connections from setting
 * them; the cookie that scripts read has a fixed name.
 */
export const createCookies = (publicUrl: string): Cookies => {
  const secure = publicUrl.startsWith("https:");
  const prefix = secure ? "__Host-" : "";

  const jar = (name: string, httpOnly: boolean, defaultAgeMs: number): CookieJar => {
    const attributes = { path: "/", httpOnly, secure, sameSite: "strict" } as const;
    return {
      read: (request) => request.cookies[name],
      write: (reply, value, maxAgeMs = defaultAgeMs) =>
        reply.setCookie(name, value, { ...attributes, maxAge: Math.floor(maxAgeMs / 1_000) }),
      clear: (reply) => reply.clearCookie(name, attributes),
    };
  };

  return {
    session: jar(`${prefix}maskSession`, true, sessionLifetimeMs),
    signUp: jar(`${prefix}maskSignUp`, true, ticketLifetimeMs),
    browser: jar(`${prefix}maskBrowser`, true, knownBrowserMs),
    csrf: jar(csrfCookie, false, sessionLifetimeMs),
  };
};

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

/** Whether the last refresh happened within the grace period. */
export const isInGrace = (session: SessionRow, now: number): boolean =>
  wasReplacedWithin(session, now, refreshGraceMs);

/** Whether the secret is so new that the one before may still be accepted without a check. */
export const isJustReplaced = (session: SessionRow, now: number): boolean =>
  wasReplacedWithin(session, now, recentCheckMs);
