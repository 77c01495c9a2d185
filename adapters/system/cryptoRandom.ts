import type { Random } from "../../core/ports/random.ts";

const fractionBits = 32;

/** Chance from Web Crypto, which browsers and Node both have. */
export const cryptoRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** fractionBits,
};
