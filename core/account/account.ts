import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, from, type Observable, type Subscription, switchMap } from "rxjs";
import type { Failure } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { type CachedGet, type Got, getAnew, getCached } from "../requests/cachedGet.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { makeCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { Account } from "./accountDetails.ts";
import { getAccount } from "./accountEndpoints.ts";
import type { User } from "./user.ts";

const oldAccount = "Using cached account data. Refresh when online.";

/** The signed-in user with settings, usage and limits. */
export interface KnownAccount {
  /** Null until it has been read, and when nobody is signed in. */
  readonly account$: State<Account | null>;
  /** Said while the account shown is from an earlier time, because the server gives none (AC4). */
  readonly warning$: State<string | null>;
  /** Asks the server, whatever is kept. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /**
   * Somebody looks at what is counted: from now on it follows each mail and each change of a mask, until the returned
   * function is called. Plan, second factor and key are followed always.
   */
  readonly watch: () => () => void;
}

/** What only `app.ts` may do with the account. */
export interface AccountControl extends KnownAccount {
  /** Whether somebody looks at what is counted. */
  readonly isWatched: () => boolean;
  readonly start: () => Subscription;
}

interface Needs {
  readonly call: Call;
  readonly store: Store;
  readonly clock: Clock;
  /** Announces another user, or nobody. */
  readonly user$: Observable<User | null>;
}

/** Each user's account is read at once; one that was read in the last 300 s is taken as it was then (RQ4). */
export const makeKnownAccount = (needs: Needs): AccountControl => {
  const account$ = makeState<Account | null>(null);
  const warning$ = makeState<string | null>(null);
  let watchers = 0;
  let owner: string | null = null;
  const get: CachedGet<Account> = {
    cache: makeCache(needs.store, needs.clock, storedKeys.cachedAccount, Account),
    owner: () => owner,
    ask: needs.call(getAccount)(),
  };
  const shown =
    (got: TE.TaskEither<Failure, Got<Account>>): TE.TaskEither<Problem, void> =>
    () => {
      const asking = owner;
      const show = ({ value, isOld }: Got<Account>): void => {
        if (owner !== asking || owner === null) return;
        account$.set(value);
        warning$.set(isOld ? oldAccount : null);
      };
      return pipe(got, TE.map(show), TE.mapLeft(problemOf("getAccount")))();
    };
  const changeOwner = (email: string | null): void => {
    owner = email;
    account$.set(null);
    warning$.set(null);
  };
  const refresh = shown(getAnew(get));
  return {
    account$,
    warning$,
    refresh: () => refresh,
    watch: () => {
      watchers += 1;
      let isLooking = true;
      return () => {
        if (isLooking) watchers -= 1;
        isLooking = false;
      };
    },
    isWatched: () => watchers > 0,
    start: () =>
      needs.user$
        .pipe(
          switchMap((user) => {
            changeOwner(user?.email ?? null);
            return user === null ? EMPTY : from(shown(getCached(get))());
          }),
        )
        .subscribe(),
  };
};
