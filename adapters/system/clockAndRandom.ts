import { asyncScheduler } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";

/** The system clock, in browsers and Node. */
export const systemClock: Clock = { now: () => Date.now(), scheduler: asyncScheduler };

const fractionBits = 32;

const poolBytes = 4_096;
const maxBytesFromPool = 256;

/** Takes few random bytes from many that were made at once, which costs a tenth. */
const createRandomBytes = (): Random["bytes"] => {
  let pool = new Uint8Array(0);
  let used = 0;
  return (count) => {
    if (count > maxBytesFromPool) return crypto.getRandomValues(new Uint8Array(count));
    if (used + count > pool.length) [pool, used] = [crypto.getRandomValues(new Uint8Array(poolBytes)), 0];
    const bytes = pool.slice(used, used + count);
    // Bytes that were returned are erased from the pool.
    pool.fill(0, used, used + count);
    used += count;
    return bytes;
  };
};

/** Random values from Web Crypto, which browsers and Node both have. */
export const cryptoRandom: Random = {
  bytes: createRandomBytes(),
  fraction: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** fractionBits,
};
