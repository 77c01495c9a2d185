import type { FastifyInstance } from "fastify";
import { Counter, Gauge } from "prom-client";
import { type ClientConfiguration, getConfiguration, getHealth } from "../../../core/api/configuration.ts";
import { UseCaseError } from "../errors/useCaseError.ts";
import type { Health, Metrics } from "../ops/metrics.ts";
import { isOpenedLocally } from "./loopback.ts";
import { route } from "./route.ts";

/** Registers GET /metrics and adds the metrics of HTTP and its sockets. Answers 404 to other machines. */
export const metricsRoute =
  ({ registry, read }: Metrics) =>
  (fastify: FastifyInstance): void => {
    const responses = new Counter({
      name: "bauta_http_answers_total",
      help: "HTTP responses by status class.",
      labelNames: ["status"],
      registers: [registry],
    });
    for (const kind of [1, 2, 3, 4, 5]) responses.inc({ status: `${kind}xx` }, 0);
    new Gauge({
      name: "bauta_sockets",
      help: "Open WebSockets.",
      registers: [registry],
      collect() {
        this.set(fastify.websocketServer.clients.size);
      },
    });
    fastify.addHook("preParsing", async (request) => {
      if (!isOpenedLocally(request)) throw new UseCaseError("missing", "There is nothing here.");
    });
    fastify.server.on("request", (_request, response) =>
      response.once("finish", () => responses.inc({ status: `${Math.floor(response.statusCode / 100)}xx` })),
    );
    fastify.get("/metrics", async (_request, reply) =>
      reply.type("text/plain; version=0.0.4; charset=utf-8").send(await read()),
    );
  };

export interface ServiceRouteDeps {
  readonly configuration: ClientConfiguration;
  readonly health: () => Promise<Health>;
}

/** Registers the MTA-STS policy: mail to the mask domain is sent over TLS, and to this host only (RFC 8461, 3.2). */
export const mtaStsRoute =
  (maskDomain: string) =>
  (fastify: FastifyInstance): void => {
    const policy = ["version: STSv1", "mode: enforce", `mx: ${maskDomain}`, "max_age: 604800", ""].join(
      "\r\n",
    );
    fastify.get("/.well-known/mta-sts.txt", async (_request, reply) =>
      reply.type("text/plain; charset=utf-8").send(policy),
    );
  };

/** Registers GET /config.json (client configuration) and GET /healthz (readiness of the server). */
export const serviceRoutes =
  ({ configuration, health }: ServiceRouteDeps) =>
  (fastify: FastifyInstance): void => {
    route(fastify, getConfiguration, async () => configuration);
    route(fastify, getHealth, async ({ reply }) => {
      const { parts, problems } = await health();
      const ready = Object.values(parts).every(Boolean);
      if (!ready) reply.code(503);
      const found = problems.length > 0 ? { problems } : {};
      return { status: ready ? "ready" : "not ready", parts: { ...parts }, ...found };
    });
  };
