import { firstValueFrom, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import { type Random, randomHex } from "../../core/ports/random.ts";
import type { KeyValueStorage } from "../../core/ports/storage.ts";
import type { Tabs } from "../../core/ports/tabs.ts";

/** The interval at which a waiting tab checks the lease. */
const pollEveryMs = 50;
/** The time to wait after writing a lease: when two tabs write at the same time, the later one wins. */
const settleMs = 50;

export interface LeaseDeps {
  readonly storage: KeyValueStorage;
  readonly clock: Clock;
  readonly random: Random;
}

interface Lease {
  readonly holder: string;
  /** The end of the lease, in milliseconds since 1970. */
  readonly until: number;
}

const leaseIn = (text: string | null): Lease | null => {
  const found = /^([0-9a-f]+) (\d+)$/.exec(text ?? "");
  return found ? { holder: found[1] ?? "", until: Number(found[2]) } : null;
};

/**
 * Creates the mutual exclusion of tabs without locks: a lease in the shared storage that ends after `waitAtMostMs` at
 * the latest. Without storage the work runs immediately.
 */
export const withStorageLease = ({ storage, clock, random }: LeaseDeps): Tabs["runExclusive"] => {
  const wait = (ms: number): Promise<unknown> => firstValueFrom(timer(ms, clock.scheduler));
  const isHeldBy = (name: string, holder: string): boolean => leaseIn(storage.read(name))?.holder === holder;
  /** Checks whether the lease is free; a lease beyond the longest time was written before the clock was set back. */
  const isFree = (name: string, longestMs: number): boolean => {
    const leftMs = (leaseIn(storage.read(name))?.until ?? 0) - clock.now();
    return leftMs <= 0 || leftMs > longestMs;
  };
  /** Tries to take the lease; "refused" when nothing can be stored. */
  const take = async (name: string, holder: string, forMs: number): Promise<boolean | "refused"> => {
    if (!isFree(name, forMs)) return false;
    if (!storage.write(name, `${holder} ${clock.now() + forMs}`)) return "refused";
    await wait(settleMs);
    return isHeldBy(name, holder);
  };
  return async (name, { maxWaitMs }, work) => {
    const holder = randomHex(random, 8);
    let hadToWait = false;
    for (;;) {
      const turn = await take(name, holder, maxWaitMs);
      if (turn !== false) break;
      hadToWait = true;
      await wait(pollEveryMs);
    }
    return work(hadToWait).finally(() => {
      if (isHeldBy(name, holder)) storage.remove(name);
    });
  };
};

type Work<A> = (hadToWait: boolean) => Promise<A>;
type Exclusively = Tabs["runExclusive"];

/** The lock was taken, or the wait was aborted. */
const notAcquired = Symbol("not my turn");

/** Runs the work under the lock; the result counts even if another tab steals the lock meanwhile. */
const underLock = <A>(
  locks: LockManager,
  name: string,
  options: LockOptions,
  work: () => Promise<A>,
): Promise<A | typeof notAcquired> =>
  new Promise((resolve, reject) => {
    let hasBegun = false;
    const onLock = (lock: Lock | null): Promise<A> | undefined => {
      if (lock === null) return undefined;
      hasBegun = true;
      const result = work();
      result.then(resolve, reject);
      return result;
    };
    const onSettled = (): void => {
      if (!hasBegun) resolve(notAcquired);
    };
    locks.request(name, options, onLock).then(onSettled, onSettled);
  });

const holderOf = (locks: LockManager, name: string): Promise<string | undefined> =>
  locks.query().then(({ held }) => held?.find((lock) => lock.name === name)?.clientId);

const withLocks =
  (locks: LockManager): Exclusively =>
  async <A>(name: string, { maxWaitMs }: { readonly maxWaitMs: number }, work: Work<A>): Promise<A> => {
    const immediate = await underLock(locks, name, { ifAvailable: true }, () => work(false));
    if (immediate !== notAcquired) return immediate;
    const acquire = (options: LockOptions) => underLock(locks, name, options, () => work(true));
    for (;;) {
      const before = await holderOf(locks, name);
      const afterWait = await acquire({ signal: AbortSignal.timeout(maxWaitMs) });
      if (afterWait !== notAcquired) return afterWait;
      if (before !== undefined && (await holderOf(locks, name)) !== before) continue;
      const stolen = await acquire({ steal: true });
      if (stolen !== notAcquired) return stolen;
    }
  };

/** Creates the mutual exclusion of tabs: by Web Locks where the browser offers them, else by a storage lease. */
export const createTabMutex = (locks: LockManager | undefined, deps: LeaseDeps): Exclusively =>
  locks ? withLocks(locks) : withStorageLease(deps);
