/**
 * Groups the work of many callers into few transactions: what arrives during one commit is committed together in the
 * next.
 */
export interface GroupCommit<Item, Result> {
  /** Resolves with the item's own result once its commit is on the disk. */
  readonly submit: (item: Item) => Promise<Result>;
  /** Resolves when nothing waits and no commit is running. */
  readonly whenIdle: () => Promise<void>;
  /** Returns how many commits were made. */
  readonly commits: () => number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The limit of one commit: a number of items and their total weight (a single item may be heavier). */
export interface GroupSize<Item> {
  readonly items: number;
  readonly weight: number;
  readonly weightOf: (item: Item) => number;
}

const afterPendingInput = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Creates a group commit over `commit`, which returns a result for each item, in their order. When it rejects, each
 * item of that commit rejects. A commit starts after the pending input was read, so a burst shares it; no timer
 * delays it.
 */
export const createGroupCommit = <Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  size: GroupSize<Item>,
): GroupCommit<Item, Result> => {
  const waiting: Waiting<Item, Result>[] = [];
  let commits = 0;
  let working: Promise<void> | null = null;

  const nextGroup = (): Waiting<Item, Result>[] => {
    let weight = 0;
    const end = waiting.findIndex(({ item }, index) => {
      weight += size.weightOf(item);
      return index > 0 && (index >= size.items || weight > size.weight);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };

  const work = async (): Promise<void> => {
    for (await afterPendingInput(); waiting.length > 0; await afterPendingInput()) {
      const group = nextGroup();
      commits += 1;
      try {
        const results = await commit(group.map(({ item }) => item));
        for (const [index, result] of results.entries()) group[index]?.resolve(result);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    working = null;
  };

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        working ??= work();
      }),
    whenIdle: async () => {
      while (working) await working;
    },
    commits: () => commits,
  };
};
