import * as E from "fp-ts/lib/Either.js";
import { merge, type Observable, Subject } from "rxjs";
import { type State, watchState } from "../kernel/state.ts";
import type { Stored } from "../storage/store.ts";
import { json } from "../storage/storedCodecs.ts";
import { type PendingRecord, PendingSync } from "./pendingRecord.ts";

type Records = PendingSync["masks"];

/** One user's pending records, shared by all tabs. Nothing is held here: each call tells what is stored now. */
export interface PendingStore {
  /** The same object for as long as the same is stored. */
  readonly all: () => Records;
  readonly of: (maskId: string) => PendingRecord | null;
  /** null removes it. False when the storage is full or refused. */
  readonly put: (maskId: string, record: PendingRecord | null) => boolean;
  /** As it is now, wherever it was changed. */
  readonly all$: State<Records>;
}

const none: Records = {};
const codec = json(PendingSync);

/** Decodes what is stored when it has changed. */
const makeReading = (): ((text: string | null) => PendingSync | null) => {
  let seen: { readonly text: string | null; readonly sync: PendingSync | null } = { text: null, sync: null };
  return (text) => {
    if (text !== seen.text)
      seen = { text, sync: E.getOrElse((): PendingSync | null => null)(codec.decode(text)) };
    return seen.sync;
  };
};

/**
 * `stored`: the text under the one key for all masks. `owner`: the user whose records count; those of another are
 * neither read nor kept (D45).
 */
export const makePendingStore = (
  stored: Stored<string>,
  owner: () => string | null,
  ownerChanges$: Observable<unknown>,
): PendingStore => {
  const changed$ = new Subject<void>();
  const reading = makeReading();
  const all = (): Records => {
    const user = owner();
    const kept = user === null ? null : reading(stored.read());
    return kept === null || kept.owner !== user ? none : kept.masks;
  };
  const put = (maskId: string, record: PendingRecord | null): boolean => {
    const user = owner();
    if (user === null) return false;
    const { [maskId]: _, ...others } = all();
    const masks = record === null ? others : { ...others, [maskId]: record };
    const isEmpty = Object.keys(masks).length === 0;
    if (isEmpty) stored.remove();
    const isKept = isEmpty || stored.write(codec.encode({ owner: user, masks }));
    changed$.next();
    return isKept;
  };
  return {
    all,
    of: (maskId) => all()[maskId] ?? null,
    put,
    all$: watchState(all, merge(changed$, stored.changes$, ownerChanges$)),
  };
};
