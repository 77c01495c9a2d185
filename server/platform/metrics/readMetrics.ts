import type { Registry } from "@prometheus-io/client";
import { createInTime } from "../ops/inTime.ts";

/** A monitor may wait 10 s for an answer; a store that hangs must not take them. */
const refreshWithinMs = 2_000;

/** Returns all metrics in Prometheus' text format, version 0.0.4. */
export type ReadMetrics = () => Promise<string>;

/** Creates the reader, which refreshes what has to be asked for, as far as that answers in time. */
export const createReadMetrics = (
  registry: Registry,
  refreshes: readonly (() => Promise<void>)[],
  withinMs = refreshWithinMs,
): ReadMetrics => {
  const inTime = refreshes.map((refresh) =>
    createInTime(withinMs, () => refresh().catch(() => {}), undefined),
  );
  return async () => {
    await Promise.all(inTime.map((refresh) => refresh()));
    return registry.metrics();
  };
};
