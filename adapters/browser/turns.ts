import type { Tabs } from "../../core/ports/tabs.ts";
import { type LeaseNeeds, withStorageLease } from "./storageLease.ts";

type Work<A> = (hadToWait: boolean) => Promise<A>;
type Exclusively = Tabs["exclusively"];

/** The turn did not come: the lock was taken, or the wait was over. */
const notMyTurn = Symbol("not my turn");

/** Runs the work under the lock; its answer counts even where the lock is stolen meanwhile. */
const underLock = <A>(
  locks: LockManager,
  name: string,
  options: LockOptions,
  work: () => Promise<A>,
): Promise<A | typeof notMyTurn> =>
  new Promise((resolve, reject) => {
    let hasBegun = false;
    const turn = (lock: Lock | null): Promise<A> | undefined => {
      if (lock === null) return undefined;
      hasBegun = true;
      const working = work();
      working.then(resolve, reject);
      return working;
    };
    const over = (): void => {
      if (!hasBegun) resolve(notMyTurn);
    };
    locks.request(name, options, turn).then(over, over);
  });

const holderOf = (locks: LockManager, name: string): Promise<string | undefined> =>
  locks.query().then(({ held }) => held?.find((lock) => lock.name === name)?.clientId);

const withLocks =
  (locks: LockManager): Exclusively =>
  async <A>(name: string, { waitAtMostMs }: { readonly waitAtMostMs: number }, work: Work<A>): Promise<A> => {
    const atOnce = await underLock(locks, name, { ifAvailable: true }, () => work(false));
    if (atOnce !== notMyTurn) return atOnce;
    const inTurn = (options: LockOptions) => underLock(locks, name, options, () => work(true));
    for (;;) {
      const before = await holderOf(locks, name);
      const waited = await inTurn({ signal: AbortSignal.timeout(waitAtMostMs) });
      if (waited !== notMyTurn) return waited;
      if (before !== undefined && (await holderOf(locks, name)) !== before) continue;
      const stolen = await inTurn({ steal: true });
      if (stolen !== notMyTurn) return stolen;
    }
  };

/** Turns by Web Locks, where the browser has them for this page, else by a lease in the storage. */
export const makeTurns = (locks: LockManager | undefined, needs: LeaseNeeds): Exclusively =>
  locks ? withLocks(locks) : withStorageLease(needs);
