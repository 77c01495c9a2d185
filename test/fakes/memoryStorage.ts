import { Subject } from "rxjs";
import type { KeyValueStorage, Storage } from "../../core/ports/storage.ts";

interface Change {
  readonly key: string;
  readonly value: string | null;
}

interface Shared {
  readonly values: Map<string, string>;
  readonly tabs: Set<Subject<Change>>;
  readonly capacity: number;
}

export interface MemoryStorage extends Storage {
  /** Another tab of the same browser, which shares `local` and is notified of changes made here. */
  readonly openTab: () => MemoryStorage;
}

const sizeOf = (values: Map<string, string>): number =>
  [...values].reduce((sum, [key, value]) => sum + key.length + value.length, 0);

const keyValue = ({ values, tabs, capacity }: Shared): KeyValueStorage => {
  const changes$ = new Subject<Change>();
  tabs.add(changes$);
  const tell = (change: Change): void => {
    for (const tab of tabs) if (tab !== changes$) tab.next(change);
  };
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, value) => {
      const room =
        capacity - sizeOf(values) + (values.has(key) ? key.length + (values.get(key)?.length ?? 0) : 0);
      if (key.length + value.length > room) return false;
      const isNew = values.get(key) !== value;
      values.set(key, value);
      if (isNew) tell({ key, value });
      return true;
    },
    remove: (key) => {
      if (values.delete(key)) tell({ key, value: null });
    },
    keys: () => [...values.keys()],
    changes$,
  };
};

const shared = (capacity: number): Shared => ({ values: new Map(), tabs: new Set(), capacity });

const tabOver = (local: Shared, capacity: number): MemoryStorage => ({
  local: keyValue(local),
  tab: keyValue(shared(capacity)),
  openTab: () => tabOver(local, capacity),
});

/** A browser's storage with a quota of this many characters in each place. */
export const createMemoryStorage = (capacity = 5_000_000): MemoryStorage =>
  tabOver(shared(capacity), capacity);
