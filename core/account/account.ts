import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, from, type Observable, type Subscription, switchMap } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { Account, getAccount, type User } from "../session/user.ts";
import { type CachedQuery, createCache, getCached, type QueryResult, refetch } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

const staleAccountWarning = "Using cached account data. Refresh when online.";

/** The signed-in user's account with its settings, usage and limits. */
export interface AccountResource {
  /** Null until the account is loaded, and when nobody is signed in. */
  readonly account$: State<Account | null>;
  /** The warning shown while the account comes from the cache because the request failed. */
  readonly warning$: State<string | null>;
  /** Refetches the account from the server. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /**
   * Keeps the usage counters up to date with each mail and each change of a mask until the returned function is called.
   * Plan, second factor and key are always kept up to date.
   */
  readonly watch: () => () => void;
}

/** The operations on the account that only core itself uses. */
export interface AccountControl extends AccountResource {
  /** Whether the usage counters are shown. */
  readonly isWatched: () => boolean;
  readonly start: () => Subscription;
}

interface Deps {
  readonly call: Call;
  readonly store: Store;
  readonly clock: Clock;
  /** Emits the signed-in user, or null. */
  readonly user$: Observable<User | null>;
}

/** Creates the account, which loads when a user signs in; a copy of the last 300 s is taken from the cache. */
export const createAccountResource = (deps: Deps): AccountControl => {
  const account$ = createState<Account | null>(null);
  const warning$ = createState<string | null>(null);
  let watchers = 0;
  let owner: string | null = null;
  const query: CachedQuery<Account> = {
    cache: createCache(deps.store, deps.clock, storedKeys.cachedAccount, Account),
    owner: () => owner,
    request: deps.call(getAccount)(),
  };
  const showResult =
    (result: TE.TaskEither<Failure, QueryResult<Account>>): TE.TaskEither<Problem, void> =>
    () => {
      const ownerAtStart = owner;
      const show = ({ value, isStale }: QueryResult<Account>): void => {
        if (owner !== ownerAtStart || owner === null) return;
        account$.set(value);
        warning$.set(isStale ? staleAccountWarning : null);
      };
      return pipe(result, TE.map(show), TE.mapLeft(problemOf("getAccount")))();
    };
  const changeOwner = (email: string | null): void => {
    owner = email;
    account$.set(null);
    warning$.set(null);
  };
  const refresh = showResult(refetch(query));
  return {
    account$,
    warning$,
    refresh: () => refresh,
    watch: () => {
      watchers += 1;
      let isWatching = true;
      return () => {
        if (isWatching) watchers -= 1;
        isWatching = false;
      };
    },
    isWatched: () => watchers > 0,
    start: () =>
      deps.user$
        .pipe(
          switchMap((user) => {
            changeOwner(user?.email ?? null);
            return user === null ? EMPTY : from(showResult(getCached(query))());
          }),
        )
        .subscribe(),
  };
};
