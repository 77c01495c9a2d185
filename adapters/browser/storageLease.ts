import { firstValueFrom, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import { type Random, randomHex } from "../../core/ports/random.ts";
import type { KeyValueStorage } from "../../core/ports/storage.ts";
import type { Tabs } from "../../core/ports/tabs.ts";

/** How often a tab that waits looks whether its turn has come. */
const lookEachMs = 50;
/** Two tabs may write at the same moment: after this long the later one has it, and both can see that. */
const settleMs = 50;

export interface LeaseNeeds {
  /** Shared by all tabs. */
  readonly storage: KeyValueStorage;
  readonly clock: Clock;
  readonly random: Random;
}

interface Lease {
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const leaseIn = (text: string | null): Lease | null => {
  const found = /^([0-9a-f]+) (\d+)$/.exec(text ?? "");
  return found ? { holder: found[1] ?? "", until: Number(found[2]) } : null;
};

/**
 * Turns among tabs without locks: a lease in the storage they share, which runs out after `waitAtMostMs` even if its
 * holder never gives it back. Where nothing can be stored there are no turns: the work is done at once.
 */
export const withStorageLease = ({ storage, clock, random }: LeaseNeeds): Tabs["exclusively"] => {
  const wait = (ms: number): Promise<unknown> => firstValueFrom(timer(ms, clock.scheduler));
  const isHeldBy = (name: string, holder: string): boolean => leaseIn(storage.read(name))?.holder === holder;
  /** A lease that ends later than any lease can was written before the clock was set back. */
  const isFree = (name: string, longestMs: number): boolean => {
    const leftMs = (leaseIn(storage.read(name))?.until ?? 0) - clock.now();
    return leftMs <= 0 || leftMs > longestMs;
  };
  /** Whether the turn is ours, "refused" where nothing can be stored. */
  const take = async (name: string, me: string, forMs: number): Promise<boolean | "refused"> => {
    if (!isFree(name, forMs)) return false;
    if (!storage.write(name, `${me} ${clock.now() + forMs}`)) return "refused";
    await wait(settleMs);
    return isHeldBy(name, me);
  };
  return async (name, { waitAtMostMs }, work) => {
    const me = randomHex(random, 8);
    let hadToWait = false;
    for (;;) {
      const turn = await take(name, me, waitAtMostMs);
      if (turn !== false) break;
      hadToWait = true;
      await wait(lookEachMs);
    }
    return work(hadToWait).finally(() => {
      if (isHeldBy(name, me)) storage.remove(name);
    });
  };
};
