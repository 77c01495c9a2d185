import type { Either } from "fp-ts/lib/Either.js";
import type { Failure } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http, HttpResponse } from "../ports/http.ts";

/** How long after it was sent a pending answer is shared (RQ3). */
const sharedForMs = 5_000;

interface Pending {
  readonly since: number;
  readonly answer: Promise<Either<Failure, HttpResponse>>;
}

/**
 * Lets identical GETs share one answer (RQ3): whoever asks within 5 s for what is pending gets that answer. Nobody is
 * cancelled, so nobody needs a cache or an empty default to fall back on.
 */
export interface Sharing {
  readonly wear: (next: Http) => Http;
  /** Something has changed: what was asked before is shared no more with whoever asks from now on. */
  readonly forget: () => void;
}

/** `session` is part of what makes two GETs identical: nobody shares another's answers. */
export const makeSharing = (clock: Clock, session: () => string | null): Sharing => {
  const pending = new Map<string, Pending>();
  const shared = (key: string, ask: () => Pending["answer"]): Pending["answer"] => {
    const known = pending.get(key);
    if (known && clock.now() - known.since < sharedForMs) return known.answer;
    const asked: Pending = {
      since: clock.now(),
      answer: ask().finally(() => {
        if (pending.get(key) === asked) pending.delete(key);
      }),
    };
    pending.set(key, asked);
    return asked.answer;
  };
  const forget = (): void => pending.clear();
  return {
    forget,
    wear: (next) => (request) => () => {
      if (request.method !== "GET") return next(request)().finally(forget);
      if (request.abandoned$ !== undefined) return next(request)();
      return shared(`${session()} ${request.url}`, next(request));
    },
  };
};
