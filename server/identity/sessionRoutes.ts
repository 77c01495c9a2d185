import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  clearToken,
  getCsrfToken,
  logOut,
  refreshByCookie,
  refreshToken,
  setTokenCookie,
  validateToken,
} from "../../core/session/sessionEndpoints.ts";
import { type Call, type Door, route, routeSignedIn } from "../http/route.ts";
import { invalidSession } from "./authenticate.ts";
import type { Cookies } from "./cookies.ts";
import type { Csrf } from "./csrf.ts";
import { sessionForMs } from "./lifetimes.ts";
import type { makeRefresh } from "./refresh.ts";
import type { Sessions } from "./sessions.ts";

export interface SessionRouteParts {
  readonly cookies: Cookies;
  readonly csrf: Csrf;
  readonly sessions: Sessions;
  readonly refresh: ReturnType<typeof makeRefresh>;
  readonly door: Door;
}

/**
 * The life of a session in milliseconds, by the seconds that a client asks for: at most ours, and ours when the wish
 * makes no sense. A part of a second counts as a whole one, as 0 would end it.
 */
const cookieAge = (wanted: number | undefined): number =>
  wanted !== undefined && wanted > 0 ? Math.min(Math.ceil(wanted) * 1_000, sessionForMs) : sessionForMs;

/** The calls that keep, renew and end a session (SE6 to SE8), and the anti-forgery token (RQ2). */
export const sessionRoutes = (parts: SessionRouteParts) => {
  const { cookies, csrf, sessions, door } = parts;

  const end = async ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<void> => {
    await sessions.end(cookies.session.read(request));
    for (const jar of [cookies.session, cookies.signUp, cookies.csrf]) jar.clear(reply);
  };

  const refresh = async ({ request, reply }: Call<void, void>): Promise<{ token: string }> => {
    const { sessionId, token, cookie } = (await parts.refresh(cookies.session.read(request))) ?? {};
    if (sessionId === undefined || token === undefined) throw invalidSession();
    if (cookie) cookies.session.write(reply, cookie);
    csrf.give(request, reply, sessionId);
    return { token };
  };

  return (fastify: FastifyInstance): void => {
    route(fastify, logOut, end);
    route(fastify, clearToken, end);
    route(fastify, refreshByCookie, refresh);
    route(fastify, refreshToken, refresh);
    routeSignedIn(fastify, door, validateToken, async () => {});

    route(fastify, setTokenCookie, async ({ body, request, reply }) => {
      const cookie = cookies.session.read(request);
      const shown = (await sessions.read(body.token, cookie)) && (await sessions.ofCookie(cookie));
      if (!shown || cookie === undefined) throw invalidSession();
      // The newer secret is on its way to the browser, and must not be overwritten there.
      if (shown.standing === "current") cookies.session.write(reply, cookie, cookieAge(body.maxAge));
    });

    route(fastify, getCsrfToken, async ({ request, reply }) => {
      const shown = await sessions.ofCookie(cookies.session.read(request));
      return { csrfToken: csrf.give(request, reply, shown?.session.id ?? null) };
    });
  };
};
