import { collectDefaultMetrics, Gauge, type Registry } from "@prometheus-io/client";
import { dayMs } from "../../../core/kernel/durations.ts";

/** The interval at which the event loop is asked for its delay, in milliseconds; each time wakes the process. */
const lagPrecisionMs = 20;

/**
 * Names in `_total` are those of counters; each of these is the sum of the gauge without it. The utilization is named by its
 * kinds, and an idle process would wake ten times a second for it.
 */
const leftOut = [
  ...["handles", "requests", "resources"].map((what) => `nodejs_active_${what}_total`),
  ...["histogram", "summary"].map((kind) => `nodejs_eventloop_utilization_${kind}`),
];

/** Measures the process: processor, memory, heap, descriptors, collections and the lag of its event loop. */
export const measureProcess = (registry: Registry, version: string): void => {
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: lagPrecisionMs,
    eventLoopUtilizationTimeout: dayMs,
  });
  for (const name of leftOut) registry.removeSingleMetric(name);
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
