import { left } from "fp-ts/lib/Either.js";
import { EMPTY, firstValueFrom, from, map, merge, race, Subject, tap, timer } from "rxjs";
import { timeout } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http } from "../ports/http.ts";

/** How long an answer is waited for where nothing else is configured (RQ5). */
export const defaultTimeoutMs = 15_000;

/** Fails with `timeout` when no answer came within `afterMs`, and abandons the request. */
export const withTimeout =
  (clock: Clock, afterMs: number) =>
  (next: Http): Http =>
  (request) =>
  () => {
    const late$ = new Subject<void>();
    const abandoned$ = merge(late$, request.abandoned$ ?? EMPTY);
    return firstValueFrom(
      race(
        from(next({ ...request, abandoned$ })()),
        timer(afterMs, clock.scheduler).pipe(
          tap(() => late$.next()),
          map(() => left(timeout(afterMs))),
        ),
      ),
    );
  };
