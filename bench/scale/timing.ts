const sorted = (times: readonly number[]): readonly number[] => times.toSorted((one, other) => one - other);

/** Returns the time below which this share of them is. */
export const at = (times: readonly number[], share: number): number =>
  sorted(times)[Math.floor((times.length - 1) * share)] ?? Number.NaN;

/** Returns how long work takes, in milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Returns how long work takes for each item, one after the other, in milliseconds. */
export const timeEach = async <A>(
  items: readonly A[],
  work: (item: A) => Promise<unknown>,
): Promise<number[]> => {
  const times: number[] = [];
  for (const item of items) times.push(await timed(() => work(item)));
  return times;
};

/** Returns some of the items, from all over the list. */
export const pick = <A>(items: readonly A[], count: number): readonly A[] =>
  Array.from({ length: count }, (_, n) => items[(n * 7_919) % items.length]).filter(
    (item) => item !== undefined,
  );
