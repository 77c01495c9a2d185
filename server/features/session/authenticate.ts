import type { FastifyReply, FastifyRequest } from "fastify";
import { clientIdHeader } from "../../../core/api/basicMiddleware.ts";
import { csrfHeader } from "../../../core/api/csrf.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import { invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type Authenticate, parseClientId } from "../../platform/http/authContext.ts";
import { isSafeMethod } from "../../platform/http/crossOrigin.ts";
import { type KeyedHash, sameHash } from "../../platform/ops/keyedHash.ts";
import type { Cookies } from "./cookies.ts";
import type { Sessions } from "./sessions.ts";

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

export const createCsrf = (hash: KeyedHash, cookies: Pick<Cookies, "csrf">, random: Random): Csrf => {
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
    const existing = cookies.csrf.read(request);
    const token =
      existing !== undefined && belongsTo(existing, sessionId)
        ? existing
        : sign(sessionId, randomHex(random, nonceBytes));
    cookies.csrf.write(reply, token);
    reply.header(csrfHeader, token);
    return token;
  };

  return {
    issue,
    check: (request, reply, sessionId) => {
      const sent = request.headers[csrfHeader];
      const isValid =
        typeof sent === "string" &&
        sameHash(sent, cookies.csrf.read(request) ?? "") &&
        belongsTo(sent, sessionId);
      if (isValid) return;
      issue(request, reply, sessionId);
      if (!isSafeMethod(request.method))
        throw new UseCaseError("forbidden", "The CSRF token was missing or out of date. Please try again.");
    },
  };
};

const bearer = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +([^\s]+)$/i.exec(headers.authorization ?? "")?.[1];

/** Authenticates requests by the token in `Authorization` and its session cookie, and checks the CSRF token. */
export const createAuthenticate =
  (
    sessions: Pick<Sessions, "authenticate">,
    cookies: Pick<Cookies, "session">,
    csrf: Pick<Csrf, "check">,
  ): Authenticate =>
  async (request, reply) => {
    const token = bearer(request);
    const session = token && (await sessions.authenticate(token, cookies.session.read(request)));
    if (!session) throw invalidSession();
    csrf.check(request, reply, session.sessionId);
    return { ...session, clientId: parseClientId(request.headers[clientIdHeader]) };
  };
