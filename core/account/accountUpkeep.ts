import { defer, filter, forkJoin, merge, type Observable, skip, throttle, timer } from "rxjs";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { AccountControl } from "./account.ts";

/** The account is read again at most this often, however much mail comes. */
const readEveryMs = 1_000;

/** Something has changed on the server, or may have while nobody was told ("resumed"). */
export interface ServerChange {
  readonly resource: string;
  readonly action: string;
}

interface Needs {
  readonly account: Pick<AccountControl, "account$" | "warning$" | "refresh" | "isWatched">;
  readonly updates$: Observable<ServerChange>;
  readonly online$: State<boolean>;
  readonly clock: Clock;
}

/** What an account says of plan, second factor and key. */
const ofAccount = new Set(["account", "keys"]);

/**
 * Reads the account again when it has changed on the server, after the connection was lost, and when there is a
 * network again: at once the first time, then when the reading before is over and a second has passed.
 */
export const followAccount = ({ account, updates$, online$, clock }: Needs): Observable<unknown> => {
  const read$ = defer(account.refresh());
  const changed$ = updates$.pipe(
    filter(({ resource }) => ofAccount.has(resource) || (resource === "masks" && account.isWatched())),
  );
  /** The first connection misses nothing: the account was read just before. */
  const resumed$ = updates$.pipe(
    filter(({ action }) => action === "resumed"),
    skip(1),
  );
  const backOnline$ = online$.pipe(
    skip(1),
    filter((isOnline) => isOnline && (account.account$.value === null || account.warning$.value !== null)),
  );
  return merge(changed$, resumed$, backOnline$).pipe(
    throttle(() => forkJoin([read$, timer(readEveryMs, clock.scheduler)]), {
      leading: true,
      trailing: true,
    }),
  );
};
