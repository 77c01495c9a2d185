import { merge, type Observable, Subject } from "rxjs";
import { type State, watchState } from "../../kernel/state.ts";
import { decodeChanged } from "../../storage/decodeChanged.ts";
import { json, type StoredItem } from "../../storage/store.ts";
import { type PendingRecord, PendingSync } from "./pendingRecord.ts";

type Records = PendingSync["masks"];

/** One user's pending records, shared by all tabs. Every call reads the storage, nothing is kept in memory. */
export interface PendingStore {
  /** Returns the same object as long as the stored text is the same. */
  readonly all: () => Records;
  readonly get: (maskId: string) => PendingRecord | null;
  /** Stores a record, null removes it. False when the storage is full or not writable. */
  readonly put: (maskId: string, record: PendingRecord | null) => boolean;
  /** The current records, also after a change in another tab. */
  readonly all$: State<Records>;
}

const noRecords: Records = {};
const codec = json(PendingSync);

/**
 * Creates the store. `stored` is the text under one key for all masks; `owner` is the current user, and
 * records of other users are neither read nor kept (D45).
 */
export const createPendingStore = (
  stored: StoredItem<string>,
  owner: () => string | null,
  ownerChanges$: Observable<unknown>,
): PendingStore => {
  const changed$ = new Subject<void>();
  const decode = decodeChanged(codec);
  const all = (): Records => {
    const user = owner();
    const sync = user === null ? null : decode(stored.read());
    return sync === null || sync.owner !== user ? noRecords : sync.masks;
  };
  const put = (maskId: string, record: PendingRecord | null): boolean => {
    const user = owner();
    if (user === null) return false;
    const { [maskId]: _, ...others } = all();
    const masks = record === null ? others : { ...others, [maskId]: record };
    const isEmpty = Object.keys(masks).length === 0;
    if (isEmpty) stored.remove();
    const isStored = isEmpty || stored.write(codec.encode({ owner: user, masks }));
    changed$.next();
    return isStored;
  };
  return {
    all,
    get: (maskId) => all()[maskId] ?? null,
    put,
    all$: watchState(all, merge(changed$, stored.changes$, ownerChanges$)),
  };
};
