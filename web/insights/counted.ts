/** Something and how often. */
export interface Counted {
  readonly name: string;
  readonly count: number;
}

/** Those that were counted at all, the most first; equal ones by name. */
export const mostFirst = (counts: Readonly<Record<string, number>>): readonly Counted[] =>
  Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));

/** The first of them, and what is left as one. */
export const withRest = (list: readonly Counted[], most: number, rest: string): readonly Counted[] => {
  if (list.length <= most) return list;
  const left = list.slice(most).reduce((sum, { count }) => sum + count, 0);
  return [...list.slice(0, most), { name: rest, count: left }];
};

/** "1 mail", "1,234 mails". */
export const counting = (count: number, one: string): string =>
  `${new Intl.NumberFormat("en").format(count)} ${one}${count === 1 ? "" : "s"}`;
