import type { FastifyReply, FastifyRequest } from "fastify";
import { hasScope, type TokenAccess } from "../../../core/api/apiScope.ts";
import { clientIdHeader } from "../../../core/api/basicMiddleware.ts";
import { invalidSession, UseCaseError } from "../errors/useCaseError.ts";
import type { AuthContext, FindTokenCaller, SessionContext, TokenGrant } from "../store/authContext.ts";
import type { CookieJar } from "./cookieJar.ts";
import type { Csrf } from "./csrf.ts";
import { bearerOf, isCompatibleCall, presentedToken } from "./presentedToken.ts";
import type { LimitTokenRate } from "./tokenRate.ts";

/** Parses a client id from a header or a query; null for anything but 1 to 128 visible ASCII characters. */
export const parseClientId = (value: unknown): string | null =>
  typeof value === "string" && /^[\x21-\x7e]{1,128}$/.test(value) ? value : null;

/**
 * Returns who makes a request. `access` is what an API token needs for it. Rejects with a 401 without a valid session or
 * API token, with 403 for a token that may not do it and for a request from another site's page, and with 429 for a
 * token over its rate.
 */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  access: TokenAccess,
) => Promise<AuthContext>;

/** Returns the user and session of a token and its cookie; undefined unless both are valid. */
export type FindSession = (token: string, cookie: string | undefined) => Promise<SessionContext | undefined>;

/** The functions that check who a caller is. */
export interface AuthenticateDeps {
  readonly findSession: FindSession;
  readonly sessionCookie: Pick<CookieJar, "read">;
  readonly csrf: Pick<Csrf, "check">;
  readonly findTokenCaller: FindTokenCaller;
  readonly limitTokenRate: LimitTokenRate;
}

/** The error for a request without the API token that its address needs. */
export const tokenNeeded = (): UseCaseError =>
  new UseCaseError("unauthenticated", "This address needs an API token. Create one in Settings.");

const assertScope = ({ scopes }: TokenGrant, access: TokenAccess): void => {
  if (access === "none")
    throw new UseCaseError("forbidden", "API tokens cannot do this. Log in to the app instead.");
  if (access !== "any" && !hasScope(scopes, access))
    throw new UseCaseError("forbidden", `This API token lacks the scope ${access}.`, {
      extra: { scope: access },
    });
};

/**
 * Authenticates requests by the token in `Authorization` and its session cookie, and checks the CSRF token; or by an API
 * token alone, which carries no session.
 */
export const createAuthenticate = ({
  findSession,
  sessionCookie,
  csrf,
  findTokenCaller,
  limitTokenRate,
}: AuthenticateDeps): Authenticate => {
  const bySession: Authenticate = async (request, reply) => {
    const token = bearerOf(request);
    const session = token && (await findSession(token, sessionCookie.read(request)));
    if (!session) throw invalidSession();
    const { userId, sessionId } = session;
    csrf.check(request, reply, sessionId);
    return {
      userId,
      callerId: sessionId,
      token: null,
      clientId: parseClientId(request.headers[clientIdHeader]),
    };
  };

  const byToken = async (
    presented: string,
    request: FastifyRequest,
    reply: FastifyReply,
    access: TokenAccess,
  ): Promise<AuthContext> => {
    const { userId, token } = await findTokenCaller(presented, request.ip);
    limitTokenRate(request, reply, token.id);
    assertScope(token, access);
    return { userId, callerId: token.id, token, clientId: parseClientId(request.headers[clientIdHeader]) };
  };

  return async (request, reply, access) => {
    const presented = presentedToken(request);
    if (presented !== undefined) return byToken(presented, request, reply, access);
    if (isCompatibleCall(request)) throw tokenNeeded();
    return bySession(request, reply, access);
  };
};
