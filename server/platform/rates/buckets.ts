import { createRecentKeys } from "./recentKeys.ts";

/** The amount that is allowed at once, and the amount that comes back in a second. */
export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** The rest that keys have of an allowance that fills up again (a token bucket for each). */
export interface Buckets {
  /** Returns what a key has left; what it has taken may exceed it. */
  readonly left: (key: string, allowance: Allowance) => number;
  /** Takes an amount from what a key has left, which a negative one gives back; never above the burst, nor below minus the burst. */
  readonly take: (key: string, allowance: Allowance, amount: number) => void;
}

/** The amount that a key has used at a time, in milliseconds, from which what has come back since is not taken off yet. */
export interface Bucket {
  used: number;
  at: number;
}

/** Returns what a key has used and has not come back. */
export const usedNow = ({ used, at }: Bucket, { perSecond }: Allowance, now: number): number =>
  Math.max(0, used - (Math.max(0, now - at) / 1_000) * perSecond);

/** Sets what a key has used now: never less than nothing, nor more than twice the burst. */
export const setUsed = (bucket: Bucket, { burst }: Allowance, used: number, now: number): void => {
  bucket.used = Math.max(0, Math.min(2 * burst, used));
  bucket.at = now;
};

/** Creates buckets for at most `maxKeys` keys, which forget those that were used least recently. */
export const createBuckets = (now: () => number, maxKeys: number): Buckets => {
  const buckets = createRecentKeys<Bucket>(maxKeys);
  return {
    left: (key, allowance) => {
      const bucket = buckets.find(key);
      return bucket ? allowance.burst - usedNow(bucket, allowance, now()) : allowance.burst;
    },
    take: (key, allowance, amount) => {
      const bucket = buckets.find(key) ?? { used: 0, at: now() };
      setUsed(bucket, allowance, usedNow(bucket, allowance, now()) + amount, now());
      buckets.set(key, bucket);
    },
  };
};
