import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfHeader } from "../../../core/api/csrfNames.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import { UseCaseError } from "../errors/useCaseError.ts";
import { type KeyedHash, sameHash } from "../ops/keyedHash.ts";
import type { CookieJar } from "./cookieJar.ts";
import { isSafeMethod } from "./crossOrigin.ts";

/** The CSRF token: a signed double-submit token that is bound to the session (RQ2). */
export interface Csrf {
  /** Sets the CSRF cookie and header and returns the token; reuses a valid token of the browser. */
  readonly issue: (request: FastifyRequest, reply: FastifyReply, sessionId: string | null) => string;
  /**
   * Issues a new token when the sent one is missing or invalid, and then refuses writing requests with 403.
   * Other sites can make a browser send cookies but cannot read the token for the header.
   */
  readonly check: (request: FastifyRequest, reply: FastifyReply, sessionId: string) => void;
}

const nonceBytes = 16;

/** The sessions whose last valid token is kept, because to sign it takes a tenth of a short answer's time. */
const keptTokens = 10_000;

export const createCsrf = (hash: KeyedHash, cookie: CookieJar, random: Random): Csrf => {
  const lastTokens = new Map<string | null, string>();
  const keep = (sessionId: string | null, token: string): void => {
    lastTokens.delete(sessionId);
    lastTokens.set(sessionId, token);
    const [oldest] = lastTokens.size > keptTokens ? lastTokens.keys() : [];
    if (oldest !== undefined) lastTokens.delete(oldest);
  };
  const sign = (sessionId: string | null, nonce: string): string =>
    `${nonce}.${hash("csrf", sessionId ?? "", nonce)}`;
  const belongsTo = (token: string, sessionId: string | null): boolean => {
    if (sameHash(token, lastTokens.get(sessionId) ?? "")) return true;
    const isValid = sameHash(token, sign(sessionId, token.split(".", 1)[0] ?? ""));
    if (isValid) keep(sessionId, token);
    return isValid;
  };

  const issue: Csrf["issue"] = (request, reply, sessionId) => {
    const existing = cookie.read(request);
    const token =
      existing !== undefined && belongsTo(existing, sessionId)
        ? existing
        : sign(sessionId, randomHex(random, nonceBytes));
    cookie.write(reply, token);
    reply.header(csrfHeader, token);
    return token;
  };

  return {
    issue,
    check: (request, reply, sessionId) => {
      const sent = request.headers[csrfHeader];
      const isValid =
        typeof sent === "string" && sameHash(sent, cookie.read(request) ?? "") && belongsTo(sent, sessionId);
      if (isValid) return;
      issue(request, reply, sessionId);
      if (!isSafeMethod(request.method))
        throw new UseCaseError("forbidden", "The CSRF token was missing or out of date. Try again.");
    },
  };
};
