import type { FastifyInstance } from "fastify";
import {
  type ClientConfiguration,
  getConfiguration,
  getHealth,
  getLiveness,
  getReadiness,
} from "../../../core/api/configuration.ts";
import { type Health, type HealthAnswer, toHealthAnswer, toReadiness } from "../ops/health.ts";
import { route } from "./route.ts";

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

/** Registers GET /config.json (client configuration), /healthz, /readyz and /livez. */
export const serviceRoutes =
  ({ configuration, health }: ServiceRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const routeHealth = (endpoint: typeof getHealth, toAnswer: (health: Health) => HealthAnswer): void =>
      route(fastify, endpoint, async ({ reply }) => {
        const answer = toAnswer(await health());
        if (answer.status !== "ready") reply.code(503);
        return answer;
      });
    route(fastify, getConfiguration, async () => configuration);
    routeHealth(getHealth, toHealthAnswer);
    routeHealth(getReadiness, toReadiness);
    route(fastify, getLiveness, async () => ({ status: "alive" }));
  };
