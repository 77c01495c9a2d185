import { left } from "fp-ts/lib/Either.js";
import { merge, Subject } from "rxjs";
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
  () =>
    new Promise((resolve, reject) => {
      const late$ = new Subject<void>();
      const waiting = clock.scheduler.schedule(() => {
        late$.next();
        resolve(left(timeout(afterMs)));
      }, afterMs);
      const abandoned$ = request.abandoned$ === undefined ? late$ : merge(late$, request.abandoned$);
      next({ ...request, abandoned$ })()
        .finally(() => waiting.unsubscribe())
        .then(resolve, reject);
    });
