import type { FastifyInstance } from "fastify";
import type { ReadMetrics } from "../metrics/readMetrics.ts";
import { HttpError } from "./httpError.ts";
import { isOpenedLocally } from "./loopback.ts";
import { createCheckToken } from "./metricsAccess.ts";

/** The content type of Prometheus' text format. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

export interface MetricsRouteDeps {
  readonly read: ReadMetrics;
  /** Lets other machines read too; null without one. */
  readonly token: string | null;
}

/** Registers GET /metrics for this machine and for who has the token; for all others there is nothing here. */
export const metricsRoute =
  ({ read, token }: MetricsRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const checkToken = createCheckToken(token);
    fastify.addHook("preParsing", async (request, reply) => {
      if (isOpenedLocally(request)) return;
      const access = checkToken(request.headers);
      if (access === "granted") return;
      if (access === "unknown") throw new HttpError(404, "There is nothing here.");
      reply.header("www-authenticate", "Bearer");
      throw new HttpError(401, "This is not the token of METRICS_TOKEN.");
    });
    fastify.get("/metrics", async (_request, reply) => reply.type(metricsType).send(await read()));
  };
