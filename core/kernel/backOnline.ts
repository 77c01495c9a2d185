import {
  EMPTY,
  filter,
  identity,
  type Observable,
  type SchedulerLike,
  skip,
  switchMap,
  take,
  takeUntil,
  timer,
} from "rxjs";

/** Within this time after the connection is back, a request that was sent without it may still fail. */
const lateFailureMs = 10_000;

/** Emits each time the connection is back; not for the connection that there is at first. */
export const backOnline = (online$: Observable<boolean>): Observable<boolean> =>
  online$.pipe(skip(1), filter(identity));

/**
 * Emits once each time the connection is back, when what was loaded without it has failed, or fails within 10 s. `isFailed$`
 * emits its current value to each subscriber.
 */
export const failedBackOnline = (
  online$: Observable<boolean>,
  isFailed$: Observable<boolean>,
  scheduler: SchedulerLike,
): Observable<boolean> =>
  online$.pipe(
    skip(1),
    switchMap((online) =>
      online ? isFailed$.pipe(filter(identity), take(1), takeUntil(timer(lateFailureMs, scheduler))) : EMPTY,
    ),
  );
