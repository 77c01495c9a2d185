import * as t from "io-ts";
import { filter, merge, type Subscription, startWith, switchMap, take } from "rxjs";
import { backOnline } from "../kernel/backOnline.ts";
import { loadWithRetry } from "../kernel/lazy.ts";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { json, type Store } from "../storage/store.ts";
import type { StoredKey } from "../storage/storedKeys.ts";

interface UnsentChangesDeps<Code> {
  /** The storage key of the changes, with their owner. */
  readonly key: StoredKey;
  /** Imports the code that sends them. */
  readonly load: () => Promise<Code>;
  /** Starts it. */
  readonly use: (code: Code) => void;
  readonly store: Store;
  readonly clock: Clock;
  readonly online$: State<boolean>;
  readonly owner: () => string | null;
}

/** Loads the code that sends changes that were made without a connection, where the user has some, in this tab or in another one. */
export const createUnsentChanges = <Code>({
  key,
  load,
  use,
  store,
  clock,
  online$,
  owner,
}: UnsentChangesDeps<Code>) => {
  const stored = store.get(key, json(t.type({ owner: t.string })));
  const hasUnsent = (): boolean => {
    const record = stored.read();
    return record !== null && record.owner === owner();
  };
  const backOnline$ = backOnline(online$);
  return {
    hasUnsent,
    start: (): Subscription =>
      merge(stored.changes$, backOnline$)
        .pipe(
          startWith(null),
          filter(hasUnsent),
          take(1),
          switchMap(() => loadWithRetry(load, backOnline$, clock.scheduler)),
        )
        .subscribe((lazy) => {
          if (lazy.kind === "loaded") use(lazy.value);
        }),
  };
};
