import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { csrfHeader } from "../../core/contract/csrf.ts";
import { type Random, randomHex } from "../../core/ports/random.ts";
import {
  clearToken,
  getCsrfToken,
  logOut,
  refreshByCookie,
  refreshToken,
  setTokenCookie,
  validateToken,
} from "../../core/session/sessionEndpoints.ts";
import type { Authenticate } from "../http/caller.ts";
import { type Call, route, routeSignedIn } from "../http/route.ts";
import type { EventFeed } from "../store/events.ts";
import { invalidSession } from "./authenticate.ts";
import type { Cookies } from "./cookies.ts";
import { sessionForMs } from "./lifetimes.ts";
import type { Sessions } from "./sessions.ts";

export interface SessionRouteParts {
  readonly cookies: Cookies;
  readonly sessions: Sessions;
  readonly authenticate: Authenticate;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly random: Random;
}

const csrfBytes = 16;

/** The life of a session in seconds that a client asks for: at most ours, and ours when the wish makes no sense. */
const cookieAge = (wanted: number | undefined): number =>
  wanted !== undefined && wanted > 0 ? Math.min(wanted * 1_000, sessionForMs) : sessionForMs;

/** The calls that keep, renew and end a session (SE6 to SE8), and the anti-forgery token (RQ2). */
export const sessionRoutes = ({ cookies, sessions, authenticate, feed, random }: SessionRouteParts) => {
  const end = async ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<void> => {
    await sessions.end(cookies.session.read(request));
    for (const jar of [cookies.session, cookies.signUp, cookies.csrf]) jar.clear(reply);
    feed.nudge();
  };

  const refresh = async ({ request, reply }: Call<void, void>): Promise<{ token: string }> => {
    const fresh = await sessions.refresh(cookies.session.read(request));
    if (!fresh) throw invalidSession();
    cookies.session.write(reply, fresh.cookie);
    return { token: fresh.token };
  };

  return (fastify: FastifyInstance): void => {
    route(fastify, logOut, end);
    route(fastify, clearToken, end);
    route(fastify, refreshByCookie, refresh);
    route(fastify, refreshToken, refresh);
    routeSignedIn(fastify, authenticate, validateToken, async () => {});

    route(fastify, setTokenCookie, async ({ body, request, reply }) => {
      const cookie = cookies.session.read(request);
      const caller = await sessions.read(body.token, cookie);
      if (!caller || cookie === undefined) throw invalidSession();
      cookies.session.write(reply, cookie, cookieAge(body.maxAge));
    });

    route(fastify, getCsrfToken, async ({ reply }) => {
      const csrfToken = randomHex(random, csrfBytes);
      cookies.csrf.write(reply, csrfToken);
      reply.header(csrfHeader, csrfToken);
      return { csrfToken };
    });
  };
};
