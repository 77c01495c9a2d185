/** A list with the reasons why entries of the answer were left out; absent when there were none. */
export type ReadableList<A> = readonly A[] & { readonly leftOut?: readonly string[] };

/** The reasons why entries of a list were left out. */
export const leftOutOf = (list: ReadableList<unknown> | undefined): readonly string[] => list?.leftOut ?? [];

/** The reasons why entries were left out of the lists in an answer. */
export const leftOutOfAnswer = (answer: unknown): readonly string[] =>
  typeof answer === "object" && answer !== null
    ? Object.values(answer).flatMap((value: unknown) => (Array.isArray(value) ? leftOutOf(value) : []))
    : [];

/** Returns other entries for a list; the reasons why entries of it were left out stay. */
export const withEntries = <A>(list: ReadableList<unknown>, entries: readonly A[]): ReadableList<A> =>
  Object.assign([...entries], { leftOut: leftOutOf(list) });

/** Returns a list without the entry of this id. */
export const withoutEntry = <A extends { readonly id: string }>(
  list: ReadableList<A>,
  id: string,
): ReadableList<A> =>
  withEntries(
    list,
    list.filter((entry) => entry.id !== id),
  );

/** Returns a list with the next page of it, whose entries may be listed already. */
export const withNextPage = <A extends { readonly id: string }>(
  list: ReadableList<A>,
  next: ReadableList<A>,
): ReadableList<A> => {
  const listed = new Set(list.map(({ id }) => id));
  return Object.assign([...list, ...next.filter(({ id }) => !listed.has(id))], {
    leftOut: [...leftOutOf(list), ...leftOutOf(next)],
  });
};
