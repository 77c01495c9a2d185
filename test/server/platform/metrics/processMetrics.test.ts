import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { measureProcess } from "../../../../server/platform/metrics/processMetrics.ts";

describe("Metrics of the process", () => {
  it("have names in _total for what only counts, as Prometheus has it", async () => {
    const registry = new Registry();
    measureProcess(registry, "1.0.0");
    const metrics = await registry.getMetricsAsJSON();
    const totals = metrics.filter(({ name }) => name.endsWith("_total"));
    expect(totals.map(({ name }) => name)).to.include("process_cpu_seconds_total");
    // Declared as a number, given as a word.
    expect(totals.filter(({ type }) => String(type) !== "counter").map(({ name }) => name)).to.deep.equal([]);
    expect(metrics.map(({ name }) => name)).to.include("nodejs_active_handles");
  });
});
