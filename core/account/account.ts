import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, EMPTY, type Observable, type Subscription, switchMap } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { orStale, Resource } from "../kernel/resource.ts";
import { mapState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { Account, getAccount, type User } from "../session/user.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

const staleAccountWarning = "Using cached account data. Refresh when online.";

/** The signed-in user's account with its settings, usage and limits. */
export interface AccountResource {
  /** Null until the account is loaded, and when nobody is signed in. */
  readonly account$: State<Account | null>;
  /** The warning shown while the account comes from the cache because the request failed. */
  readonly warning$: State<string | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Refetches the account unless it was fetched within the last 300 s and nothing has changed since. */
  readonly refreshIfOld: () => TE.TaskEither<Problem, void>;
  /** Keeps the usage counters up to date until the returned function is called; all other values always are. */
  readonly watch: () => () => void;
}

/** The operations on the account that only core itself uses. */
export interface AccountControl extends AccountResource {
  readonly isWatched: () => boolean;
  /** Records that the usage counters have changed while they are not shown. */
  readonly markOutdated: () => void;
  /** Shows the account as the server has just sent it. */
  readonly put: (account: Account) => void;
  readonly start: () => Subscription;
}

interface Deps {
  readonly call: Call;
  readonly store: Store;
  readonly clock: Clock;
  readonly user$: Observable<User | null>;
}

/** Creates the account, which loads when a user signs in; a copy of the last 300 s is taken from the cache. */
export const createAccountResource = ({ call, store, clock, user$ }: Deps): AccountControl => {
  const resource = new Resource<Account | null>({
    initial: null,
    fetch: call(getAccount)(),
    cache: createCache(store, clock, storedKeys.cachedAccount, Account),
  });
  let watchers = 0;
  const refresh = pipe(orStale(resource), TE.mapLeft(problemOf("getAccount")));
  const refreshIfOld = pipe(orStale(resource, resource.loadIfOld), TE.mapLeft(problemOf("getAccount")));
  return {
    account$: mapState(resource.state$, ({ value }) => value),
    warning$: mapState(resource.state$, ({ status }) => (status === "stale" ? staleAccountWarning : null)),
    refresh: () => refresh,
    refreshIfOld: () => refreshIfOld,
    watch: () => {
      watchers += 1;
      let isWatching = true;
      return () => {
        if (isWatching) watchers -= 1;
        isWatching = false;
      };
    },
    isWatched: () => watchers > 0,
    markOutdated: () => resource.markOutdated(),
    put: (account) => resource.put(() => account),
    start: () =>
      user$
        .pipe(
          switchMap((user) => {
            resource.setOwner(user?.email ?? null);
            return user === null || resource.state$.value.isFromCache ? EMPTY : defer(refresh);
          }),
        )
        .subscribe(),
  };
};
