import { Gauge, type Registry } from "@prometheus-io/client";
import type { ServerContext } from "../context/serverContext.ts";
import { addStoredMetrics } from "../features/operator/storedMetrics.ts";
import { createReadMetrics, type ReadMetrics } from "../platform/metrics/readMetrics.ts";

/** The operator's metrics. They are counts and times without personal data. */
export interface ServerMetrics {
  readonly registry: Registry;
  readonly read: ReadMetrics;
}

/** Adds to what the parts of a process measure whether they are ready, and what is counted in the store. */
export const createServerMetrics = (
  registry: Registry,
  { database, clock, health }: Pick<ServerContext, "database" | "clock" | "health">,
): ServerMetrics => {
  const ready = new Gauge({
    name: "bauta_ready",
    help: "Whether a part of the server is ready (1) or not (0).",
    labelNames: ["part"],
    registers: [registry],
  });
  const refreshReady = async (): Promise<void> => {
    for (const [part, isReady] of Object.entries((await health()).parts))
      ready.set({ part }, Number(isReady));
  };
  return {
    registry,
    read: createReadMetrics(registry, [refreshReady, addStoredMetrics(registry, { database, clock })]),
  };
};
