import type { SessionHttp } from "../context/feature.ts";
import type { ServerContext } from "../context/serverContext.ts";
import { createAssertRecentlyProven } from "../features/recentProof/recentProof.ts";
import { sessionCookies } from "../features/session/sessionCookies.ts";
import { type AuthenticateDeps, createAuthenticate } from "../platform/http/authenticate.ts";
import { type CookieJar, type CookieSettings, cookieJarOf } from "../platform/http/cookieJar.ts";
import { createCsrf } from "../platform/http/csrf.ts";
import { Idempotency } from "../platform/http/idempotency.ts";
import { createTokenRate } from "../platform/http/tokenRate.ts";

/** Creates how requests prove their caller: API tokens, or sessions with their cookies, the CSRF token, and the guard of the routes. */
export const createSessionHttp = (
  { config, database, clock, random, hash, seal, rates, feed }: ServerContext,
  { findSession, findTokenCaller }: Pick<AuthenticateDeps, "findSession" | "findTokenCaller">,
): SessionHttp => {
  const jarOf = (settings: CookieSettings): CookieJar => cookieJarOf(config.publicUrl, settings);
  const cookies = {
    session: jarOf(sessionCookies.session),
    signUp: jarOf(sessionCookies.signUp),
    browser: jarOf(sessionCookies.browser),
    signOnState: jarOf(sessionCookies.signOnState),
    signOn: jarOf(sessionCookies.signOn),
    csrf: jarOf(sessionCookies.csrf),
  };
  const csrf = createCsrf(hash, cookies.csrf, random);
  return {
    cookies,
    csrf,
    authGuard: {
      authenticate: createAuthenticate({
        findSession,
        findTokenCaller,
        sessionCookie: cookies.session,
        csrf,
        limitTokenRate: createTokenRate(rates),
      }),
      idempotency: new Idempotency({ database, clock, seal, feed }),
      assertRecentlyProven: createAssertRecentlyProven({ database, clock }),
    },
  };
};
