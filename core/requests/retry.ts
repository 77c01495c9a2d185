import * as E from "fp-ts/lib/Either.js";
import { firstValueFrom, timer } from "rxjs";
import type { Failure } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http, HttpResponse } from "../ports/http.ts";
import type { Random } from "../ports/random.ts";

/** How often a request that came too soon is sent again (RQ8). */
export const maximumRetries = 3;
const firstDelayMs = 1_000;
const jitterUpToMs = 1_000;
/** Nobody is kept waiting longer than this for the next try. */
export const longestDelayMs = 10_000;

/** The wait before retry `n`, counted from 0, in milliseconds; `chance` in [0, 1). */
export const retryDelayMs = (n: number, chance: number): number =>
  Math.min(firstDelayMs * 2 ** n + chance * jitterUpToMs, longestDelayMs);

/** What a `Retry-After` header asks for, in milliseconds from now; 0 when it asks for nothing (RFC 9110, 10.2.3). */
export const retryAfterMs = (header: string | undefined, now: number): number => {
  const wait = /^\s*\d+\s*$/.test(header ?? "") ? Number(header) * 1_000 : Date.parse(header ?? "") - now;
  return wait > 0 ? wait : 0;
};

type Outcome = E.Either<Failure, HttpResponse>;

interface Patience {
  readonly clock: Clock;
  readonly random: Random;
  /** The server wants fewer requests: told once for each request, before the first wait. */
  readonly tooMany: () => void;
}

/**
 * Sends again what the server has answered with 429 (RQ8). A server that names a longer wait gets it, up to the cap;
 * one that wants more than that is not asked again, since an earlier try would be refused too.
 */
export const withRetry =
  ({ clock, random, tooMany }: Patience) =>
  (next: Http): Http =>
  (request) => {
    const attempt = (n: number): Promise<Outcome> =>
      next(request)().then((outcome) =>
        E.isRight(outcome) && outcome.right.status === 429 ? refused(n, outcome) : outcome,
      );
    const refused = (n: number, outcome: E.Right<HttpResponse>): Outcome | Promise<Outcome> => {
      if (n === 0) tooMany();
      const askedMs = retryAfterMs(outcome.right.headers["retry-after"], clock.now());
      if (n === maximumRetries || askedMs > longestDelayMs) return outcome;
      const delayMs = Math.max(askedMs, retryDelayMs(n, random.fraction()));
      return firstValueFrom(timer(delayMs, clock.scheduler)).then(() => attempt(n + 1));
    };
    return () => attempt(0);
  };
