import type { FastifyInstance } from "fastify";
import { type ClientConfiguration, getConfiguration, getHealth } from "../../core/contract/configuration.ts";
import { route } from "./route.ts";

export interface ServiceRouteParts {
  readonly configuration: ClientConfiguration;
  /** Which parts of the server are ready, by name. */
  readonly health: () => Promise<Readonly<Record<string, boolean>>>;
}

/** GET /config.json and GET /healthz: what a client and what an operator's monitor ask first. */
export const serviceRoutes =
  ({ configuration, health }: ServiceRouteParts) =>
  (fastify: FastifyInstance): void => {
    route(fastify, getConfiguration, async () => configuration);
    route(fastify, getHealth, async ({ reply }) => {
      const parts = await health();
      const ready = Object.values(parts).every(Boolean);
      if (!ready) reply.code(503);
      return { status: ready ? "ready" : "not ready", parts: { ...parts } };
    });
  };
