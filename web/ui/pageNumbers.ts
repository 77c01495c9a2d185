/** A page, or a gap between two that are shown; the two gaps differ so that each can be a key. */
export type PageEntry = number | "gap-before" | "gap-after";

const span = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/**
 * The pages worth a button: first, last, the current one and its neighbours. At most seven entries; a gap always
 * stands for at least two pages, and near either end as many entries are shown as in the middle.
 */
export const pageNumbers = (page: number, pageCount: number): readonly PageEntry[] => {
  if (pageCount <= 7) return span(1, pageCount);
  if (page <= 4) return [...span(1, 5), "gap-after", pageCount];
  if (page >= pageCount - 3) return [1, "gap-before", ...span(pageCount - 4, pageCount)];
  return [1, "gap-before", page - 1, page, page + 1, "gap-after", pageCount];
};
