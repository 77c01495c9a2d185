import * as t from "io-ts";
import { filter, merge, type Subscription, startWith, switchMap, take } from "rxjs";
import { backOnline } from "../kernel/backOnline.ts";
import { loadWithRetry } from "../kernel/lazy.ts";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { json, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** Imports the code of rules and their sync, which is needed for unsent changes and for the rules tab. */
const loadRulesAndSync = () => import("./rulesAndSync.ts");

interface PendingRulesDeps {
  /** Starts the rules and their sync. */
  readonly use: (code: Awaited<ReturnType<typeof loadRulesAndSync>>) => void;
  readonly store: Store;
  readonly clock: Clock;
  readonly online$: State<boolean>;
  readonly owner: () => string | null;
}

/** Loads the code that sends unsent changes of rules where the user has some, in this tab or in another one. */
export const createPendingRules = ({ use, store, clock, online$, owner }: PendingRulesDeps) => {
  const stored = store.get(storedKeys.pendingRulesSync, json(t.type({ owner: t.string })));
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
          switchMap(() => loadWithRetry(loadRulesAndSync, backOnline$, clock.scheduler)),
        )
        .subscribe((lazy) => {
          if (lazy.kind === "loaded") use(lazy.value);
        }),
  };
};
