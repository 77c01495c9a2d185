import { distinctUntilChanged, EMPTY, interval, type Observable, type SchedulerLike, switchMap } from "rxjs";

/** How long a new code cannot be asked for, in milliseconds (SI5). */
export const resendAfterMs = 30_000;

/** How many whole seconds are left until `resendAt`; both times in milliseconds since 1970. */
export const secondsUntil = (resendAt: number, now: number): number =>
  Math.max(0, Math.ceil((resendAt - now) / 1_000));

/** Emits each second while a code cannot be asked for again; null where nobody waits for that. */
export const countdown = (
  resendAt$: Observable<number | null>,
  scheduler: SchedulerLike,
): Observable<unknown> =>
  resendAt$.pipe(
    distinctUntilChanged(),
    switchMap((resendAt) => (resendAt === null ? EMPTY : interval(1_000, scheduler))),
  );
