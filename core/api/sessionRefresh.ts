import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, isUnanswered } from "../kernel/failure.ts";
import { chainResult, deferTask, mapResult } from "../kernel/task.ts";
import type { Http, HttpResponse } from "../ports/http.ts";
import { isAuthenticationPath } from "./csrf.ts";

/** The session that requests belong to. */
export interface RequestSession {
  readonly token: () => string | null;
  readonly owner: () => string | null;
  readonly refresh: TE.TaskEither<Failure, void>;
  /** Ends the session and notifies the user. */
  readonly onExpired: () => void;
}

/** True if a failed refresh ends the session: a missing response, a 5xx status and a 429 do not. */
export const endsSession = (failure: Failure): boolean =>
  failure.kind === "refused" ? failure.status < 500 && failure.status !== 429 : !isUnanswered(failure);

type Outcome = E.Either<Failure, HttpResponse>;

const isUnauthorized = (outcome: Outcome): outcome is E.Right<HttpResponse> =>
  E.isRight(outcome) && outcome.right.status === 401;

/**
 * Refreshes the session after a 401 and repeats the request once. Requests that sign in or out are excluded, and
 * nothing is repeated after the user has changed or signed out. If another request or tab has replaced the token in the
 * meantime, the request is repeated with that token.
 */
export const withSessionRefresh =
  ({ token, owner, refresh, onExpired }: RequestSession) =>
  (next: Http): Http =>
  (request) =>
    deferTask(() => {
      const ownerAtStart = owner();
      const tokenSent = token();
      const isSameOwner = (): boolean => ownerAtStart !== null && owner() === ownerAtStart;
      const expireIfUnauthorized = (outcome: Outcome): Outcome => {
        if (!isUnauthorized(outcome) || !isSameOwner()) return outcome;
        onExpired();
        return E.right({ ...outcome.right, userNotified: true });
      };
      const repeat = (refused: Outcome): T.Task<Outcome> =>
        isSameOwner() ? pipe(next(request), mapResult(expireIfUnauthorized)) : T.of(refused);
      const repeatAfterRefresh = (refused: Outcome): T.Task<Outcome> =>
        pipe(
          refresh,
          chainResult(
            E.match(
              (failure) => (endsSession(failure) ? T.of(expireIfUnauthorized(refused)) : TE.left(failure)),
              () => repeat(refused),
            ),
          ),
        );
      return pipe(
        next(request),
        chainResult((outcome) => {
          const isAffected = isUnauthorized(outcome) && tokenSent !== null && isSameOwner();
          if (!isAffected || isAuthenticationPath(request.url)) return T.of(outcome);
          return token() === tokenSent ? repeatAfterRefresh(outcome) : repeat(outcome);
        }),
      );
    });
