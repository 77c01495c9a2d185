import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { loopbackAllowance, perMinute } from "./limits.ts";
import { isFromLoopback } from "./loopback.ts";
import { Refusal } from "./refusal.ts";

const silent = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };

/** How many requests a minute one client may send, where strangers may send `rate`. */
export const allowed =
  (rate: number) =>
  (request: FastifyRequest): number =>
    isFromLoopback(request) ? rate * loopbackAllowance : rate;

/** Refuses with 429 and Retry-After what comes too often; a route sets its own rate in its configuration. */
export const limitRates = async (fastify: FastifyInstance): Promise<void> => {
  await fastify.register(rateLimit, {
    max: allowed(perMinute.anything),
    timeWindow: 60_000,
    addHeaders: silent,
    addHeadersOnExceeding: silent,
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal(429, "Too many requests. Please try again in a moment.", {
        retryAfterS: Math.ceil(ttl / 1_000),
      }),
  });
};
