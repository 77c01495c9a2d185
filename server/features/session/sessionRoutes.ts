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
import type { FeatureContext } from "../../context/feature.ts";
import { invalidSession } from "../../platform/errors/useCaseError.ts";
import { type Call, route, routeSignedIn } from "../../platform/http/route.ts";
import { sessionLifetimeMs } from "./lifetimes.ts";
import type { createRefresh } from "./refreshSession.ts";

/**
 * In milliseconds, at most the lifetime of the session, which also replaces invalid values. Fractions are
 * rounded up, because 0 would end the session.
 */
const cookieAge = (requestedS: number | undefined): number =>
  requestedS !== undefined && requestedS > 0
    ? Math.min(Math.ceil(requestedS) * 1_000, sessionLifetimeMs)
    : sessionLifetimeMs;

/** Registers the routes that refresh, validate, and end a session (SE6 to SE8), and the CSRF token route (RQ2). */
export const sessionRoutes = (
  { cookies, csrf, authGuard, session: { sessions } }: FeatureContext,
  refreshSession: ReturnType<typeof createRefresh>,
) => {
  const end = async ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<void> => {
    await sessions.end(cookies.session.read(request));
    for (const jar of [cookies.session, cookies.signUp, cookies.csrf]) jar.clear(reply);
  };

  const refresh = async ({ request, reply }: Call<void, void>): Promise<{ token: string }> => {
    const { sessionId, token, cookie } = (await refreshSession(cookies.session.read(request))) ?? {};
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
