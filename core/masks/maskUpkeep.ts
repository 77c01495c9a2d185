import {
  auditTime,
  defer,
  EMPTY,
  exhaustMap,
  expand,
  filter,
  from,
  ignoreElements,
  last,
  merge,
  mergeMap,
  type Observable,
  Subject,
  type Subscription,
  skip,
  switchMap,
  tap,
} from "rxjs";
import type { User } from "../account/user.ts";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { HeldMasks } from "./heldMasks.ts";
import type { MaskId } from "./mask.ts";
import type { MaskCache, MaskReading } from "./maskReading.ts";
import { bothToRead, gathered, isNothing, nothingToRead } from "./maskUpdates.ts";

/** Changes of the list are written to the cache at most this often. */
const cacheEveryMs = 250;

interface Needs {
  readonly clock: Clock;
  readonly held: HeldMasks;
  readonly reading: MaskReading;
  readonly cache: MaskCache;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly online$: State<boolean>;
  readonly changeOwner: (email: string | null) => void;
}

/** Keeps the masks held what they are on the server: for each user in turn, until unsubscribed. */
export const keepUpToDate = (needs: Needs): Subscription => {
  const { clock, held, reading, cache } = needs;
  const list$ = defer(() => reading.list()());

  const followed$ = (): Observable<unknown> => {
    const again$ = new Subject<DataUpdate>();
    let waiting = nothingToRead;
    const readOne = (id: MaskId): Observable<unknown> =>
      defer(() => reading.again(id)).pipe(
        tap((done) => {
          if (!done) again$.next({ resource: "mask", action: "updated", resourceId: id });
        }),
      );
    /** Reads what waits; what comes meanwhile waits for the next time. */
    const readWaiting$ = defer(() => {
      const now = waiting;
      waiting = nothingToRead;
      return now === "all" ? list$ : from(now).pipe(mergeMap(readOne));
    }).pipe(last(null, null));
    return gathered(merge(needs.updates$, again$), clock.scheduler).pipe(
      tap((what) => {
        waiting = bothToRead(waiting, what);
      }),
      exhaustMap(() => readWaiting$.pipe(expand(() => (isNothing(waiting) ? EMPTY : readWaiting$)))),
    );
  };
  const cached$ = (owner: string): Observable<unknown> =>
    held.holding$.pipe(
      auditTime(cacheEveryMs, clock.scheduler),
      filter(({ status, isRecalled }) => status === "ready" && !isRecalled),
      tap(({ masks }) => cache.write(owner, masks)),
    );
  const backOnline$ = needs.online$.pipe(
    skip(1),
    filter((online) => online && ["stale", "failed"].includes(held.holding$.value.status)),
    switchMap(() => list$),
  );
  const of = (email: string): Observable<unknown> => {
    const recalled = cache.read(email);
    if (recalled?.fresh) held.recalled(recalled.value);
    return merge(list$, followed$(), cached$(email), backOnline$).pipe(ignoreElements());
  };
  return needs.user$
    .pipe(
      switchMap((user) => {
        needs.changeOwner(user?.email ?? null);
        return user === null ? EMPTY : of(user.email);
      }),
    )
    .subscribe();
};
