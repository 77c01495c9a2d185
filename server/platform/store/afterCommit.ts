import type { RunInTransaction } from "./engine.ts";

/** The pieces of work that wait for the end of each transaction. Several of one transaction run one after the other. */
const requested = new WeakMap<object, (() => void)[]>();

/** Runs something once the transaction has committed; never when it is rolled back. `run` does not throw. */
export const afterCommit = (tx: object, run: () => void): void => {
  const list = requested.get(tx);
  if (!list) throw new Error("only work in a transaction has a commit to wait for");
  list.push(run);
};

/** Returns transactions that run what their work has asked for by `afterCommit`. */
export const withAfterCommit =
  (transaction: RunInTransaction): RunInTransaction =>
  async (work) => {
    let list: (() => void)[] = [];
    const result = await transaction((tx) => {
      list = [];
      requested.set(tx, list);
      return work(tx);
    });
    for (const run of list) run();
    return result;
  };
