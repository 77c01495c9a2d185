import { type Observable, of, race, switchMap, take, timer } from "rxjs";
import type { Clock } from "../ports/clock.ts";

/** The time after which the rest is started although the first screen is not shown, in milliseconds. */
const atMostMs = 2_000;

/** Emits once when what `shown$` announces has been painted, so that what follows does not delay it. */
export type AfterPaint = (shown$: Observable<unknown>) => Observable<unknown>;

/**
 * Creates the order in which the app starts: first what the first screen shows, then the rest. `painted$` emits to each
 * subscriber when what is shown at that time has been painted; without it everything starts at once.
 */
export const createAfterPaint =
  (painted$: Observable<unknown> | undefined, { scheduler }: Pick<Clock, "scheduler">): AfterPaint =>
  (shown$) =>
    painted$ === undefined
      ? of(null)
      : race(
          shown$.pipe(
            take(1),
            switchMap(() => painted$),
          ),
          timer(atMostMs, scheduler),
        ).pipe(take(1));
