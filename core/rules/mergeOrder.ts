/** The greatest set of ids that stand in `after` in the order they have in `before`: these nobody has moved. */
const unmoved = (before: readonly string[], after: readonly string[]): ReadonlySet<string> => {
  const place = new Map(before.map((id, n) => [id, n]));
  const kept = after.filter((id) => place.has(id));
  const places = kept.map((id) => place.get(id) ?? 0);
  /** For each id, the longest such run that ends with it: its length, and the one before it. */
  const runs: { readonly length: number; readonly from: number }[] = [];
  for (const at of places) {
    const best = runs.reduce(
      (longest, run, m) =>
        (places[m] ?? 0) < at && run.length > longest.length ? { length: run.length, from: m } : longest,
      { length: 0, from: -1 },
    );
    runs.push({ length: best.length + 1, from: best.from });
  }
  const found = new Set<string>();
  let n = runs.reduce((longest, run, m) => (run.length > (runs[longest]?.length ?? 0) ? m : longest), 0);
  for (let run = runs[n]; run; run = runs[n]) {
    found.add(kept[n] ?? "");
    n = run.from;
  }
  return found;
};

/**
 * The order of a list that two have changed: theirs, and in it whatever I have moved or added, each behind the one it
 * stands behind in mine. So what both have moved stands where I have put it. Holds every id of either list once, and
 * merging the result again changes nothing.
 */
export const mergeOrder = (
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] => {
  const before = new Set(base);
  const known = new Set(theirs);
  const still = unmoved(base, mine);
  const placed = new Set(mine.filter((id) => !known.has(id) || (before.has(id) && !still.has(id))));
  const order = theirs.filter((id) => !placed.has(id));
  for (const [n, id] of mine.entries()) {
    const behind = n === 0 ? undefined : mine[n - 1];
    if (placed.has(id)) order.splice(behind === undefined ? 0 : order.indexOf(behind) + 1, 0, id);
  }
  return order;
};
