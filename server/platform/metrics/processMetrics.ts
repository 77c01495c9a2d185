import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";

/** The interval at which the event loop is asked for its delay, in milliseconds; each time wakes the process. */
const lagPrecisionMs = 20;

/** Names in `_total` are those of counters; each of these is the sum of the gauge without it. */
const gaugesNamedAsCounters = ["handles", "requests", "resources"].map(
  (what) => `nodejs_active_${what}_total`,
);

/** Measures the process: processor, memory, heap, descriptors, collections and the lag of its event loop. */
export const measureProcess = (registry: Registry, version: string): void => {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecisionMs });
  for (const name of gaugesNamedAsCounters) registry.removeSingleMetric(name);
  new Gauge({
    name: "process_uptime_seconds",
    help: "Seconds since the process started.",
    registers: [registry],
    collect() {
      this.set(process.uptime());
    },
  });
  new Gauge({
    name: "bauta_build_info",
    help: "1; the labels are the versions of Bauta and of Node.",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1);
};
