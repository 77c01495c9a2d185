import { Gauge, Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { createReadMetrics } from "../../../../server/platform/metrics/readMetrics.ts";

describe("Reading the metrics", () => {
  const withGauge = () => {
    const registry = new Registry();
    return { registry, known: new Gauge({ name: "known", help: "k", registers: [registry] }) };
  };

  it("refreshes what has to be asked for", async () => {
    const { registry, known } = withGauge();
    const read = createReadMetrics(registry, [async () => known.set(7)]);
    expect(await read()).to.contain("known 7");
  });

  it("answers with what is known when something fails or hangs, which is not asked again meanwhile", async () => {
    const { registry, known } = withGauge();
    known.set(3);
    let asked = 0;
    const hang = (): Promise<never> => {
      asked += 1;
      return new Promise(() => {});
    };
    const read = createReadMetrics(registry, [hang, () => Promise.reject(new Error("away"))], 1);
    expect(await read()).to.contain("known 3");
    expect(await read()).to.contain("known 3");
    expect(asked).to.equal(1);
  });
});
