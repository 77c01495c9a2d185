import type { FastifyInstance } from "fastify";
import type { Log } from "../log.ts";

/** Writes one line for each answer: method, the route's pattern (never the address, which may hold a token), status, time. */
export const requestLog = (fastify: FastifyInstance, log: Log): void => {
  fastify.addHook("onResponse", async ({ method, routeOptions }, reply) => {
    log.info(
      {
        method,
        route: routeOptions.url ?? "unknown",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "request",
    );
  });
};
