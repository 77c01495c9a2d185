import { left } from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import { merge, Subject } from "rxjs";
import { timeout } from "../kernel/failure.ts";
import { deferTask, onEnd, startTask, tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http } from "../ports/http.ts";
import { type Random, randomHex } from "../ports/random.ts";

/** Prefixes the URL with `baseAddress`; an empty one means the page's own origin. */
export const withBaseAddress =
  (baseAddress: string) =>
  (next: Http): Http =>
  (request) =>
    next({ ...request, url: baseAddress.replace(/\/+$/, "") + request.url });

/** Requests and sends JSON; without the accept header the same path returns a page. */
export const withJson =
  (next: Http): Http =>
  (request) =>
    next({
      ...request,
      headers: {
        accept: "application/json",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
    });

/** Sends the session's token, which is read for each request. */
export const withBearer =
  (token: () => string | null) =>
  (next: Http): Http =>
  (request) =>
    deferTask(() => {
      const value = token();
      const headers =
        value === null ? request.headers : { ...request.headers, authorization: `Bearer ${value}` };
      return next({ ...request, headers });
    });

/** Adds a random request id, 16 bytes in hexadecimal, unless the request has one. */
export const withRequestId =
  (random: Random) =>
  (next: Http): Http =>
  (request) =>
    deferTask(() =>
      next({ ...request, headers: { "x-request-id": randomHex(random, 16), ...request.headers } }),
    );

/** The header that names the client, so that the server does not announce a change to the client that made it. */
export const clientIdHeader = "x-client-id";

/** Adds the client id to each request that may change something. */
export const withClientId =
  (clientId: string) =>
  (next: Http): Http =>
  (request) =>
    next(
      request.method === "GET"
        ? request
        : { ...request, headers: { [clientIdHeader]: clientId, ...request.headers } },
    );

/** The timeout of requests where none is configured. */
export const defaultTimeoutMs = 15_000;

/** Fails with `timeout` and aborts the request when no response came within `afterMs`. */
export const withTimeout =
  (clock: Clock, afterMs: number) =>
  (next: Http): Http =>
  (request) =>
  () =>
    new Promise((resolve) => {
      const timedOut$ = new Subject<void>();
      const timer = clock.scheduler.schedule(() => {
        timedOut$.next();
        resolve(left(timeout(afterMs)));
      }, afterMs);
      const abort$ = request.abort$ === undefined ? timedOut$ : merge(timedOut$, request.abort$);
      pipe(
        next({ ...request, abort$ }),
        onEnd(() => timer.unsubscribe()),
        tapResult(resolve),
        startTask,
      );
    });
