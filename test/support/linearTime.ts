import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";

const factor = 32;
/** Linear work has the ratio 1 and quadratic work the ratio `factor`; garbage collection of a large result takes up to 6. */
const mostRatio = 10;
/** Shorter processor times are not meaningful: code compilation and garbage collection take as long. */
const leastMicros = 9_000;
/** A shared cache and the garbage of others, which is collected first, only add to the cost: the least is the work's own. */
const mostRuns = 6;

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

/** Measures the processor time of this thread in microseconds; other processes and waiting do not count. */
const costOf = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/**
 * Expects work on one large input to cost at most `mostRatio` times as much as the same amount of work on small inputs,
 * each a `factor`th of it, one after the other. `work` repeats a piece `times` times and processes the result.
 */
export const expectLinear = (what: string, times: number, work: (times: number) => void): void => {
  const small = Math.ceil(times / factor);
  const inParts = (): void => {
    for (let part = 0; part < factor; part += 1) work(small);
  };
  const limit = mostRatio * Math.max(leastMicros, costOf(inParts));
  let cost = costOf(() => work(times));
  for (let runs = 1; runs < mostRuns && cost > limit; runs += 1) {
    collectGarbage();
    cost = Math.min(
      cost,
      costOf(() => work(times)),
    );
  }
  expect(cost, `microseconds for ${what}, ${times} times`).to.be.at.most(limit);
};
