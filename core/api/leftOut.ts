/** A list with the reasons why entries of the answer were left out; absent when there were none. */
export type ReadableList<A> = readonly A[] & { readonly leftOut?: readonly string[] };

/** The reasons why entries of a list were left out. */
export const leftOutOf = (list: ReadableList<unknown> | undefined): readonly string[] => list?.leftOut ?? [];

/** The reasons why entries were left out of the lists in an answer. */
export const leftOutOfAnswer = (answer: unknown): readonly string[] =>
  typeof answer === "object" && answer !== null
    ? Object.values(answer).flatMap((value: unknown) => (Array.isArray(value) ? leftOutOf(value) : []))
    : [];
