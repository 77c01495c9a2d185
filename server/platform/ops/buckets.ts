/** How much is allowed at once, and how much comes back in a second. */
export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** What keys have left of an allowance that fills up again (a token bucket for each). */
export interface Buckets {
  /** Returns what a key has left; what it has taken may exceed it. */
  readonly left: (key: string, allowance: Allowance) => number;
  /** Takes an amount from what a key has left, which a negative one gives back; never above the burst, nor below minus the burst. */
  readonly take: (key: string, allowance: Allowance, amount: number) => void;
}

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** Creates buckets for at most `maxKeys` keys, which forget the key that was used least recently. */
export const createBuckets = (now: () => number, maxKeys: number): Buckets => {
  const buckets = new Map<string, Bucket>();

  const left = (key: string, { burst, perSecond }: Allowance): number => {
    const bucket = buckets.get(key);
    if (!bucket) return burst;
    const seconds = Math.max(0, now() - bucket.at) / 1_000;
    return Math.min(burst, bucket.left + seconds * perSecond);
  };

  return {
    left,
    take: (key, allowance, amount) => {
      const next = left(key, allowance) - amount;
      buckets.delete(key);
      buckets.set(key, {
        left: Math.max(-allowance.burst, Math.min(allowance.burst, next)),
        at: now(),
      });
      if (buckets.size <= maxKeys) return;
      const [oldest] = buckets.keys();
      if (oldest !== undefined) buckets.delete(oldest);
    },
  };
};
