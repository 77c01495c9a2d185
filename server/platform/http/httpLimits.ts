import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from "fastify";
import type { Clock } from "../../../core/ports/clock.ts";
import { UseCaseError } from "../errors/useCaseError.ts";
import { networkOf } from "../ops/networkOf.ts";
import type { Rates } from "../rates/rates.ts";
import { isFromLoopback } from "./loopback.ts";
import { createRequestCounts } from "./requestCounts.ts";

/** The limits of the HTTP server. Times are in milliseconds, sizes in bytes. */
export const limits = {
  bodyBytes: 256 * 1024,
  headerBytes: 16 * 1024,
  pathParameter: 4_096,
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  /** The interval at which late headers and requests are looked for. */
  checkEveryMs: 2_000,
  tlsHandshakeWithinMs: 10_000,
  idleConnectionMs: 65_000,
  connections: 4_000,
  /** Of an IPv4 address or a /64; not of trusted proxies, as the next one. */
  connectionsOfNetwork: 200,
  /** Of a /24 of IPv4 or a /56 of IPv6. */
  connectionsOfWiderNetwork: 400,
} as const;

/** The allowed requests per minute, client address and route; an IPv6 /64 network counts as one address. */
export const perMinute = {
  anything: 1_200,
  signIn: 30,
  verify: 120,
  masks: 300,
  /** Of one API token, over all routes. */
  token: 300,
  notifications: 300,
  /** Whole mails, which may have megabytes. */
  mailContents: 60,
  /** High, because all pages behind one address reconnect at once after a restart. */
  sockets: 600,
} as const;

/**
 * Raises the limits for requests from this machine without a proxy (tests, scripts, the operator). Requests
 * through a local proxy count for the client in X-Forwarded-For.
 */
const loopbackFactor = 100;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The requests that a client may send to the route in a minute; `perMinute.anything` by default. */
    perMinute?: number;
  }
}

/** Returns the limit for a request: `rate` per minute, or more for requests from this machine. */
export const rateLimitFor = (request: FastifyRequest, rate: number): number =>
  isFromLoopback(request) ? rate * loopbackFactor : rate;

/**
 * Refuses requests over the limit of their route with 429 and Retry-After, for each network of clients by itself. Returns
 * the hook that does so for requests that no route answers.
 */
export const limitRequestRate = (
  fastify: FastifyInstance,
  { rates, clock }: { readonly rates: Rates; readonly clock: Pick<Clock, "now"> },
): onRequestHookHandler => {
  const count = createRequestCounts(rates, clock.now);
  const limit =
    (route: string, rate: number): onRequestHookHandler =>
    (request, _reply, done) => {
      const waitMs = count(`${route} ${networkOf(request.ip)}`, rateLimitFor(request, rate));
      if (waitMs === 0) return done();
      const retryAfterS = Math.ceil(waitMs / 1_000);
      done(
        new UseCaseError("too-often", "Too many requests. Please try again in a moment.", { retryAfterS }),
      );
    };
  fastify.addHook("onRoute", (route) => {
    const rate = route.config?.perMinute ?? perMinute.anything;
    route.onRequest = [...[route.onRequest ?? []].flat(), limit(`${route.method} ${route.url}`, rate)];
  });
  return limit("", perMinute.anything);
};
