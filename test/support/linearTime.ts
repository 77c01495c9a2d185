import { expect } from "chai";

const factor = 10;
/** Shorter processor times are not meaningful: code compilation and garbage collection take as long. */
const leastMicros = 3_000;
/** Garbage collection of a full heap and a shared cache only add to the cost: the least of some runs is the work's own. */
const mostRuns = 6;

/** Measures the processor time of this thread in microseconds; other processes and waiting do not count. */
const costOf = (work: (times: number) => void, times: number): number => {
  const before = process.threadCpuUsage();
  work(times);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/**
 * Expects work on an input `factor` times as large to cost at most three times that factor; quadratic work costs its
 * square. `work` repeats a piece `times` times and processes the result.
 */
export const expectLinear = (what: string, times: number, work: (times: number) => void): void => {
  const small = Math.ceil(times / factor);
  const base = Math.max(leastMicros, Math.min(costOf(work, small), costOf(work, small)));
  const limit = base * factor * 3;
  let cost = costOf(work, times);
  for (let runs = 1; runs < mostRuns && cost > limit; runs += 1) cost = Math.min(cost, costOf(work, times));
  expect(cost, `microseconds for ${what}, ${times} times`).to.be.at.most(limit);
};
