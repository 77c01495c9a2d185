import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { EMPTY, from, type Observable, type Subscription, switchMap } from "rxjs";
import { makeState, type State } from "../kernel/state.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { Account } from "./accountDetails.ts";
import { getAccount } from "./accountEndpoints.ts";
import type { User } from "./user.ts";

/** The signed-in user with settings, usage and limits. */
export interface AccountDoor {
  /** Null until it has been read, and when nobody is signed in. */
  readonly account$: State<Account | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
}

/** `user$` announces another user, or nobody; each one's account is read at once. */
export const makeAccountDoor = (
  call: Call,
  user$: Observable<User | null>,
): AccountDoor & { readonly start: () => Subscription } => {
  const account$ = makeState<Account | null>(null);
  let owner: string | null = null;
  const refresh = (): TE.TaskEither<Problem, void> => () => {
    const asking = owner;
    const keep = (account: Account): void => {
      if (owner === asking && owner !== null) account$.set(account);
    };
    return pipe(call(getAccount)(), TE.map(keep), TE.mapLeft(problemOf("getAccount")))();
  };
  return {
    account$,
    refresh,
    start: () =>
      user$
        .pipe(
          switchMap((user) => {
            owner = user?.email ?? null;
            account$.set(null);
            return owner === null ? EMPTY : from(refresh()());
          }),
        )
        .subscribe(),
  };
};
