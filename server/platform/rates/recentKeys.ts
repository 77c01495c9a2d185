/** Values of the keys that were used last. */
export interface RecentKeys<A> {
  /** Returns the value of a key, which counts as its use. */
  readonly find: (key: string) => A | undefined;
  /** Sets the value of a key, which counts as its use. */
  readonly set: (key: string, value: A) => void;
  /** Returns the value of a key and forgets it. */
  readonly take: (key: string) => A | undefined;
}

/**
 * Creates values of at most `maxKeys` keys; the half that was used last is never forgotten. Each call takes constant time
 * on average: a map that gives up its oldest key with each new one would search for it among deleted ones.
 */
export const createRecentKeys = <A>(
  maxKeys: number,
  onForgotten: (value: A) => void = () => {},
): RecentKeys<A> => {
  let recent = new Map<string, A>();
  let earlier = new Map<string, A>();

  const set = (key: string, value: A): void => {
    recent.set(key, value);
    if (recent.size < maxKeys / 2) return;
    for (const [one, forgotten] of earlier) if (!recent.has(one)) onForgotten(forgotten);
    earlier = recent;
    recent = new Map();
  };

  return {
    find: (key) => {
      const value = recent.get(key);
      if (value !== undefined) return value;
      const older = earlier.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    take: (key) => {
      const value = recent.get(key) ?? earlier.get(key);
      recent.delete(key);
      earlier.delete(key);
      return value;
    },
  };
};
