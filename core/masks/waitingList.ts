import { merge, type Observable, Subject } from "rxjs";
import { watchState } from "../kernel/state.ts";
import { decodeChanged } from "../storage/decodeChanged.ts";
import { json, plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { WaitingChange } from "./waitingChange.ts";
import { StoredWaitingMasks, type WaitingMask } from "./waitingMask.ts";

interface ListDeps {
  readonly store: Store;
  readonly owner: () => string | null;
  readonly user$: Observable<unknown>;
}

interface Waiting {
  readonly masks: readonly WaitingMask[];
  readonly changes: readonly WaitingChange[];
}

const nothing: Waiting = { masks: [], changes: [] };

/** What waits of one user in the storage; each call reads it, because other tabs write it too. */
export const createWaitingList = ({ store, owner, user$ }: ListDeps) => {
  const stored = store.get(storedKeys.waitingMasks, plainText);
  const codec = json(StoredWaitingMasks);
  const decode = decodeChanged(codec);
  const changed$ = new Subject<void>();
  const read = (): Waiting => {
    const record = decode(stored.read());
    if (record === null || record.owner !== owner()) return nothing;
    return { masks: record.masks, changes: record.changes ?? nothing.changes };
  };
  const write = (change: Partial<Waiting>): boolean => {
    const user = owner();
    if (user === null) return false;
    const { masks, changes } = { ...read(), ...change };
    const isEmpty = masks.length === 0 && changes.length === 0;
    if (isEmpty) stored.remove();
    const record = { owner: user, masks: [...masks], ...(changes.length > 0 && { changes: [...changes] }) };
    const isStored = isEmpty || stored.write(codec.encode(record));
    changed$.next();
    return isStored;
  };
  const any$ = merge(changed$, stored.changes$, user$);
  return {
    read,
    change: (project: (list: readonly WaitingMask[]) => readonly WaitingMask[]): boolean =>
      write({ masks: project(read().masks) }),
    changeChanges: (project: (list: readonly WaitingChange[]) => readonly WaitingChange[]): boolean =>
      write({ changes: project(read().changes) }),
    list$: watchState(() => read().masks, any$),
    changes$: watchState(() => read().changes, any$),
  };
};

export type WaitingList = ReturnType<typeof createWaitingList>;
