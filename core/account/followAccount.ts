import * as E from "fp-ts/lib/Either.js";
import { defer, filter, forkJoin, merge, type Observable, throttle, timer } from "rxjs";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { combineState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { Account } from "../session/user.ts";
import type { AccountControl } from "./account.ts";

const refetchIntervalMs = 1_000;

/** A change on the server; the action "resumed" means that changes may have been missed, "connected" that none was. */
export interface ServerChange {
  readonly resource: string;
  readonly action: string;
  readonly entity?: unknown;
}

interface Deps {
  readonly account: Pick<
    AccountControl,
    "account$" | "warning$" | "refresh" | "isWatched" | "markOutdated" | "put"
  >;
  readonly updates$: Observable<ServerChange>;
  readonly online$: State<boolean>;
  readonly clock: Clock;
}

/** The action of the first connection: the account was loaded just before. */
const firstConnection = "connected";

/** The resources whose changes always affect the account. */
const accountResources = new Set(["account", "keys", "held"]);

/**
 * Shows the account that a server change brings; refetches it after a change without one, a reconnect, and when
 * online again. A further refetch waits for the previous one and for one second.
 */
export const followAccount = ({ account, updates$, online$, clock }: Deps): Observable<unknown> => {
  const refetch$ = defer(account.refresh());
  /** Shows a received account; a server that sends a changed thing whole sends the account with it. */
  const isShown = ({ resource, entity }: ServerChange): boolean => {
    if (entity === undefined) return false;
    if (resource !== "account") return true;
    const received = Account.decode(entity);
    if (E.isRight(received)) account.put(received.right);
    return E.isRight(received);
  };
  /** Usage counters that are not shown are fetched when they are shown next. */
  const isWanted = ({ resource, action }: ServerChange): boolean => {
    if (accountResources.has(resource)) return true;
    if (resource !== "masks" || action === firstConnection) return false;
    if (!account.isWatched()) account.markOutdated();
    return account.isWatched();
  };
  const changed$ = updates$.pipe(filter((change) => !isShown(change) && isWanted(change)));
  const resumed$ = updates$.pipe(filter(({ action }) => action === "resumed"));
  const isMissing$ = combineState(
    [account.account$, account.warning$],
    (shown, warning) => shown === null || warning !== null,
  );
  const backOnline$ = failedBackOnline(online$, isMissing$, clock.scheduler);
  return merge(changed$, resumed$, backOnline$).pipe(
    throttle(() => forkJoin([refetch$, timer(refetchIntervalMs, clock.scheduler)]), {
      leading: true,
      trailing: true,
    }),
  );
};
