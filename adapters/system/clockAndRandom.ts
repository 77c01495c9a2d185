import { asyncScheduler } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";

/** The system clock, in browsers and Node. */
export const systemClock: Clock = { now: () => Date.now(), scheduler: asyncScheduler };

const fractionBits = 32;

/** Random values from Web Crypto, which browsers and Node both have. */
export const cryptoRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** fractionBits,
};
