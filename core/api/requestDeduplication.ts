import type { Either } from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import { ageMs } from "../kernel/age.ts";
import type { Failure } from "../kernel/failure.ts";
import { deferTask, onEnd } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http, HttpResponse } from "../ports/http.ts";

/** The time after its sending for which a pending request is shared. */
const sharedForMs = 5_000;

type Outcome = Either<Failure, HttpResponse>;

interface Pending {
  readonly since: number;
  readonly answer: Promise<Outcome>;
}

/**
 * Deduplicates GETs: an identical GET within 5 s gets the response of the pending one. No request is canceled, so
 * callers need no fallback value.
 */
export interface RequestDeduplication {
  readonly middleware: (next: Http) => Http;
  /** Stops sharing the pending requests, because data on the server has changed. */
  readonly forgetPendingGets: () => void;
}

/** Creates the deduplication. Two GETs are identical only within one `session`, so that users never share responses. */
export const createRequestDeduplication = (
  clock: Clock,
  session: () => string | null,
): RequestDeduplication => {
  const pending = new Map<string, Pending>();
  const shared =
    (key: string, send: Task<Outcome>): Task<Outcome> =>
    () => {
      const current = pending.get(key);
      if (current && ageMs(current.since, clock.now()) < sharedForMs) return current.answer;
      const sendAndForget = onEnd(() => {
        if (pending.get(key) === added) pending.delete(key);
      })(send);
      const added: Pending = { since: clock.now(), answer: sendAndForget() };
      pending.set(key, added);
      return added.answer;
    };
  const forgetPendingGets = (): void => pending.clear();
  return {
    forgetPendingGets,
    middleware: (next) => (request) => {
      if (request.method !== "GET") return pipe(next(request), onEnd(forgetPendingGets));
      if (request.abort$ !== undefined) return next(request);
      return deferTask(() => shared(`${session()} ${request.url}`, next(request)));
    },
  };
};
