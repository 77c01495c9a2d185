import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfHeader } from "../../core/contract/csrf.ts";
import { type Random, randomHex } from "../../core/ports/random.ts";
import { Refusal } from "../http/refusal.ts";
import { isSafe } from "../http/sameOrigin.ts";
import type { Cookies } from "./cookies.ts";
import { type KeyedHash, sameHash } from "./keyedHash.ts";

/** The anti-forgery token: a signed double submit that is bound to the session (RQ2). */
export interface Csrf {
  /** Puts a token of this session on an answer, the browser's own if that is good, and answers it. */
  readonly give: (request: FastifyRequest, reply: FastifyReply, sessionId: string | null) => string;
  /**
   * Gives a token when the one sent is missing or stale, and then refuses what changes something: a page elsewhere can
   * make a browser send its cookies, and cannot read the token that has to stand in the header beside them.
   */
  readonly check: (request: FastifyRequest, reply: FastifyReply, sessionId: string) => void;
}

const randomBytes = 16;

export const makeCsrf = (hash: KeyedHash, cookies: Pick<Cookies, "csrf">, random: Random): Csrf => {
  const sign = (sessionId: string | null, chance: string): string =>
    `${chance}.${hash("csrf", sessionId ?? "", chance)}`;
  const isOf = (token: string, sessionId: string | null): boolean =>
    sameHash(token, sign(sessionId, token.split(".", 1)[0] ?? ""));

  const give: Csrf["give"] = (request, reply, sessionId) => {
    const kept = cookies.csrf.read(request);
    const token =
      kept !== undefined && isOf(kept, sessionId) ? kept : sign(sessionId, randomHex(random, randomBytes));
    cookies.csrf.write(reply, token);
    reply.header(csrfHeader, token);
    return token;
  };

  return {
    give,
    check: (request, reply, sessionId) => {
      const sent = request.headers[csrfHeader];
      const isGood =
        typeof sent === "string" && sameHash(sent, cookies.csrf.read(request) ?? "") && isOf(sent, sessionId);
      if (isGood) return;
      give(request, reply, sessionId);
      if (!isSafe(request.method))
        throw new Refusal(403, "The CSRF token was missing or out of date. Please try again.");
    },
  };
};
