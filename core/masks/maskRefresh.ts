import * as E from "fp-ts/lib/Either.js";
import {
  auditTime,
  buffer,
  defer,
  EMPTY,
  exhaustMap,
  expand,
  filter,
  from,
  ignoreElements,
  last,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  type SchedulerLike,
  Subject,
  type Subscription,
  share,
  switchMap,
  take,
  tap,
  throttleTime,
  timer,
} from "rxjs";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { isFetchFailed } from "../kernel/resource.ts";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import type { Cache } from "../storage/cache.ts";
import type { Mask, MaskId } from "./mask.ts";
import type { MaskResource } from "./maskResource.ts";

/** Updates within this time are answered by one fetch. */
const updateWindowMs = 250;

/** More masks than this are fetched as one list. */
const maxSingleFetches = 3;

/** The masks that must be fetched again: those with these ids, or the whole list. */
type MasksToFetch = readonly MaskId[] | "all";

const nothingToFetch: MasksToFetch = [];

const isNothingToFetch = (what: MasksToFetch): boolean => what !== "all" && what.length === 0;

const combineFetches = (a: MasksToFetch, b: MasksToFetch): MasksToFetch =>
  a === "all" || b === "all" ? "all" : fewOrAll(new Set([...a, ...b]));

const fewOrAll = (ids: ReadonlySet<MaskId>): MasksToFetch => (ids.size > maxSingleFetches ? "all" : [...ids]);

/** Rules that have changed are those of the mask that an update names. */
const concernsMasks = ({ resource, resourceId }: DataUpdate): boolean =>
  resource === "masks" || resource === "mask" || (resource === "rules" && resourceId !== undefined);

const toMasksToFetch = (updates: readonly DataUpdate[]): MasksToFetch => {
  const ids = new Set(updates.flatMap(({ resourceId }) => resourceId ?? []));
  const isWholeList = updates.some(({ resourceId }) => resourceId === undefined);
  return isWholeList ? "all" : fewOrAll(ids);
};

/** Batches updates of masks: every 250 ms at most one list or three single masks are due (RT13). */
const batchUpdates = (
  updates$: Observable<DataUpdate>,
  scheduler: SchedulerLike,
): Observable<MasksToFetch> => {
  const maskUpdates$ = updates$.pipe(share());
  const windowEnd$ = maskUpdates$.pipe(
    throttleTime(updateWindowMs, scheduler, { leading: false, trailing: true }),
  );
  return maskUpdates$.pipe(
    buffer(windowEnd$),
    filter((updates) => updates.length > 0),
    map(toMasksToFetch),
  );
};

/** A longer list is not cached: it does not fit into the browser's storage, and encoding it takes long. */
const maxCachedMasks = 5_000;

/** Changes of the list are written to the cache at most this often. */
const cacheIntervalMs = 250;

interface MaskRefreshDeps {
  readonly clock: Clock;
  readonly masks: MaskResource;
  readonly cache: Cache<readonly Mask[]>;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly versions$: Observable<string>;
  readonly online$: State<boolean>;
  readonly changeOwner: (email: string | null) => void;
  /** Emits when what `shown$` announces has been painted. */
  readonly afterPaint: (shown$: Observable<unknown>) => Observable<unknown>;
}

/** The time in which the server names the state of the list after a connection, in milliseconds. */
const versionWithinMs = 1_000;

/** True if an update says that the socket is connected, so that changes before it may have been missed. */
const isConnection = ({ action }: DataUpdate): boolean => action === "connected" || action === "resumed";

/** Emits once whether the fetched list is the one that the server names at a connection; false where it names none. */
const isUnchanged = ({ versions$, masks, clock }: MaskRefreshDeps): Observable<boolean> => {
  const late$ = timer(versionWithinMs, clock.scheduler).pipe(map(() => null));
  /** A list that is still arriving, which may take long, is waited for. */
  const fetched$ = masks.state$.pipe(
    filter(({ status, isFromCache }) => status !== "loading" && !isFromCache),
    map(() => masks.version$.value),
  );
  return merge(versions$, late$).pipe(
    take(1),
    switchMap((version) =>
      version === null
        ? of(false)
        : fetched$.pipe(
            take(1),
            map((fetched) => fetched === version),
          ),
    ),
  );
};

/** Keeps the masks in step with the server for the current user, until unsubscribed. */
export const startMaskRefresh = (deps: MaskRefreshDeps): Subscription => {
  const { clock, masks, cache } = deps;
  const list$ = defer(masks.load);

  const followUpdates$ = (): Observable<unknown> => {
    const retry$ = new Subject<DataUpdate>();
    let pending: MasksToFetch = nothingToFetch;
    const refetchOne = (id: MaskId): Observable<unknown> =>
      defer(masks.tryRefetch(id)).pipe(
        tap((result) => {
          if (E.isRight(result) && !result.right)
            retry$.next({ resource: "mask", action: "updated", resourceId: id });
        }),
      );
    /** Fetches what is pending; updates that arrive meanwhile wait for the next run. */
    const refetchPending$ = defer(() => {
      const now = pending;
      pending = nothingToFetch;
      return now === "all" ? list$ : from(now).pipe(mergeMap(refetchOne));
    }).pipe(last(null, null));
    const updates$ = deps.updates$.pipe(filter(concernsMasks));
    const unshown$ = updates$.pipe(filter((update) => !isConnection(update) && !masks.receive(update)));
    const missed$ = updates$.pipe(
      filter(isConnection),
      switchMap((update) =>
        isUnchanged(deps).pipe(
          filter((unchanged) => !unchanged),
          map(() => update),
        ),
      ),
    );
    return batchUpdates(merge(unshown$, missed$, retry$), clock.scheduler).pipe(
      tap((what) => {
        pending = combineFetches(pending, what);
      }),
      exhaustMap(() =>
        refetchPending$.pipe(expand(() => (isNothingToFetch(pending) ? EMPTY : refetchPending$))),
      ),
    );
  };
  const writeCache$ = (owner: string): Observable<unknown> =>
    masks.state$.pipe(
      filter(
        ({ status, isFromCache, value }) =>
          status === "ready" && !isFromCache && value.length <= maxCachedMasks,
      ),
      auditTime(cacheIntervalMs, clock.scheduler),
      tap(({ value }) => cache.write(owner, value)),
    );
  const refetchWhenOnline$ = failedBackOnline(
    deps.online$,
    masks.state$.pipe(map(isFetchFailed)),
    clock.scheduler,
  ).pipe(switchMap(() => list$));
  /** The cached list is painted before the answer is read, which takes as long as reading the cache. */
  const firstList$ = defer(() =>
    masks.state$.value.isFromCache ? deps.afterPaint(of(null)).pipe(switchMap(() => list$)) : list$,
  );
  const refreshFor$ = (email: string): Observable<unknown> =>
    merge(firstList$, followUpdates$(), writeCache$(email), refetchWhenOnline$).pipe(ignoreElements());
  return deps.user$
    .pipe(
      switchMap((user) => {
        deps.changeOwner(user?.email ?? null);
        return user === null ? EMPTY : refreshFor$(user.email);
      }),
    )
    .subscribe();
};
