import {
  catchError,
  defer,
  map,
  merge,
  type Observable,
  type SchedulerLike,
  startWith,
  switchMap,
  take,
  timer,
} from "rxjs";

/** A value whose code is loaded when it is needed. */
export type Lazy<A> =
  | { readonly kind: "idle" | "loading" | "failed" }
  | { readonly kind: "loaded"; readonly value: A };

const retryIntervalMs = 5_000;

/** Loads when subscribed; after a failure again each 5 s, and immediately when `retry$` emits. */
export const loadWithRetry = <A>(
  load: () => Promise<A>,
  retry$: Observable<unknown>,
  scheduler: SchedulerLike,
): Observable<Lazy<A>> =>
  defer(load).pipe(
    map((value): Lazy<A> => ({ kind: "loaded", value })),
    catchError(() =>
      merge(timer(retryIntervalMs, scheduler), retry$).pipe(
        take(1),
        switchMap(() => loadWithRetry(load, retry$, scheduler)),
        startWith<Lazy<A>>({ kind: "failed" }),
      ),
    ),
    startWith<Lazy<A>>({ kind: "loading" }),
  );
