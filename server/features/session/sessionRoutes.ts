import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  clearToken,
  getCsrfToken,
  logOut,
  refreshByCookie,
  refreshToken,
  setTokenCookie,
  validateToken,
} from "../../../core/session/sessionEndpoints.ts";
import { invalidSession } from "../../platform/errors/useCaseError.ts";
import { type AuthGuard, type Call, route, routeSignedIn } from "../../platform/http/route.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { Csrf } from "./authenticate.ts";
import { type Cookies, encodeSessionCookie, isInGrace, isJustReplaced } from "./cookies.ts";
import { sessionLifetimeMs } from "./lifetimes.ts";
import { rotateSession } from "./sessionQueries.ts";
import type { SessionDeps, Sessions } from "./sessions.ts";

/** The result of a refresh. */
export interface RefreshResult {
  readonly sessionId: string;
  readonly token: string;
  /** Null shortly after another refresh, whose response carries the new cookie. */
  readonly cookie: string | null;
}

/**
 * Creates the function that exchanges a session cookie for a new token and cookie and extends the session (SE6,
 * D41). When several tabs refresh at once, the secret is replaced once and the others get a token of the same
 * session. Undefined when the session does not exist, or was ended because the secret was an outdated copy.
 */
export const createRefresh = (
  sessions: Pick<Sessions, "findByCookie">,
  {
    database,
    tokens,
    hash,
    clock,
    random,
  }: Pick<SessionDeps, "database" | "tokens" | "hash" | "clock" | "random">,
) => {
  const refresh = async (cookie: string | undefined): Promise<RefreshResult | undefined> => {
    const presented = await sessions.findByCookie(cookie);
    if (!presented) return undefined;
    const { session, secretHash, secretState } = presented;
    const now = clock.now();
    const sessionId = session.id;
    const token = await tokens.sign({ userId: session.user_id, sessionId }, now);
    const keepsSecret = secretState === "previous" ? isInGrace(session, now) : isJustReplaced(session, now);
    if (keepsSecret) return { sessionId, token, cookie: null };

    const secret = newSecret(random);
    const rotated = await rotateSession(database.db, sessionId, {
      from: session.secret_hash,
      to: hash("session", secret),
      previous: secretHash,
      now,
      expiresAt: now + sessionLifetimeMs,
    });
    // Another tab was faster, so the presented secret is now the previous one, or the session has ended.
    if (!rotated) return refresh(cookie);
    return { sessionId, token, cookie: encodeSessionCookie(hash, sessionId, secret) };
  };
  return refresh;
};

export interface SessionRouteDeps {
  readonly cookies: Cookies;
  readonly csrf: Csrf;
  readonly sessions: Sessions;
  readonly refresh: ReturnType<typeof createRefresh>;
  readonly authGuard: AuthGuard;
}

/**
 * In milliseconds, at most the lifetime of the session, which also replaces invalid values. Fractions are
 * rounded up, because 0 would end the session.
 */
const cookieAge = (requestedS: number | undefined): number =>
  requestedS !== undefined && requestedS > 0
    ? Math.min(Math.ceil(requestedS) * 1_000, sessionLifetimeMs)
    : sessionLifetimeMs;

/** Registers the routes that refresh, validate, and end a session (SE6 to SE8), and the CSRF token route (RQ2). */
export const sessionRoutes = (deps: SessionRouteDeps) => {
  const { cookies, csrf, sessions, authGuard } = deps;

  const end = async ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<void> => {
    await sessions.end(cookies.session.read(request));
    for (const jar of [cookies.session, cookies.signUp, cookies.csrf]) jar.clear(reply);
  };

  const refresh = async ({ request, reply }: Call<void, void>): Promise<{ token: string }> => {
    const { sessionId, token, cookie } = (await deps.refresh(cookies.session.read(request))) ?? {};
    if (sessionId === undefined || token === undefined) throw invalidSession();
    if (cookie) cookies.session.write(reply, cookie);
    csrf.issue(request, reply, sessionId);
    return { token };
  };

  return (fastify: FastifyInstance): void => {
    route(fastify, logOut, end);
    route(fastify, clearToken, end);
    route(fastify, refreshByCookie, refresh);
    route(fastify, refreshToken, refresh);
    routeSignedIn(fastify, authGuard, validateToken, async () => {});

    route(fastify, setTokenCookie, async ({ body, request, reply }) => {
      const cookie = cookies.session.read(request);
      const presented =
        (await sessions.authenticate(body.token, cookie)) && (await sessions.findByCookie(cookie));
      if (!presented || cookie === undefined) throw invalidSession();
      // The browser is about to receive the newer secret, which must not be overwritten.
      if (presented.secretState === "current") cookies.session.write(reply, cookie, cookieAge(body.maxAge));
    });

    route(fastify, getCsrfToken, async ({ request, reply }) => {
      const presented = await sessions.findByCookie(cookies.session.read(request));
      return { csrfToken: csrf.issue(request, reply, presented?.session.id ?? null) };
    });
  };
};
