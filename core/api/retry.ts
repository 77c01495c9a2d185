import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import { firstValueFrom, timer } from "rxjs";
import type { Failure } from "../kernel/failure.ts";
import { chainResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http, HttpRequest, HttpResponse } from "../ports/http.ts";
import type { Random } from "../ports/random.ts";
import { csrfHeader } from "./csrfNames.ts";

/** The maximum number of retries after a 429. */
export const maximumRetries = 3;
const firstDelayMs = 1_000;
const jitterUpToMs = 1_000;
/** The maximum delay before a retry. */
export const longestDelayMs = 10_000;

/** Returns the delay before retry `n`, counted from 0, in milliseconds; `fraction` in [0, 1) adds jitter. */
export const retryDelayMs = (n: number, fraction: number): number =>
  Math.min(firstDelayMs * 2 ** n + fraction * jitterUpToMs, longestDelayMs);

/** Returns the delay that a `Retry-After` header requests, in milliseconds; 0 without one (RFC 9110, 10.2.3). */
export const retryAfterMs = (header: string | undefined, now: number): number => {
  const wait = /^\s*\d+\s*$/.test(header ?? "") ? Number(header) * 1_000 : Date.parse(header ?? "") - now;
  return wait > 0 ? wait : 0;
};

type Outcome = E.Either<Failure, HttpResponse>;

interface RetryDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Called once for each request, at its first 429, with whether the request is repeated. */
  readonly onTooManyRequests: (request: HttpRequest, isRepeated: boolean) => void;
}

/**
 * Retries requests that the server has rejected with 429. A longer `Retry-After` is respected up to the maximum delay;
 * beyond it the request is not retried, because an earlier attempt would be rejected too.
 */
export const withRetry =
  ({ clock, random, onTooManyRequests }: RetryDeps) =>
  (next: Http): Http =>
  (request) => {
    const attempt = (n: number): T.Task<Outcome> =>
      pipe(
        next(request),
        chainResult((outcome) =>
          E.isRight(outcome) && outcome.right.status === 429 ? retryOrReturn(n, outcome) : T.of(outcome),
        ),
      );
    const retryOrReturn = (n: number, outcome: E.Right<HttpResponse>): T.Task<Outcome> => {
      const requestedMs = retryAfterMs(outcome.right.headers["retry-after"], clock.now());
      const isRepeated = request.unattended !== true && n < maximumRetries && requestedMs <= longestDelayMs;
      if (n === 0) onTooManyRequests(request, isRepeated);
      if (!isRepeated) return T.of(outcome);
      const delayMs = Math.max(requestedMs, retryDelayMs(n, random.fraction()));
      return pipe(
        () => firstValueFrom(timer(delayMs, clock.scheduler)),
        chainResult(() => attempt(n + 1)),
      );
    };
    return attempt(0);
  };

/**
 * The headers that every request has (RQ1, RQ2). Another origin may reject others, which the browser reports as a network
 * failure.
 */
const essentialHeaders = ["accept", "authorization", "x-request-id", csrfHeader];

/** Repeats a GET of these routes once with the essential headers only when no response came. */
export const withMinimalRetry =
  (routes: readonly string[]) =>
  (next: Http): Http =>
  (request) =>
    pipe(
      next(request),
      chainResult((outcome) => {
        const isCutOff = E.isLeft(outcome) && outcome.left.kind === "network";
        if (!isCutOff || request.method !== "GET" || !routes.includes(request.route ?? ""))
          return T.of(outcome);
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => essentialHeaders.includes(name)),
        );
        return next({ ...request, headers });
      }),
    );
