import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import { isAuthenticationPath } from "../contract/csrf.ts";
import { type Failure, isUnanswered } from "../kernel/failure.ts";
import type { Http, HttpResponse } from "../ports/http.ts";

export interface SessionWatch {
  readonly token: () => string | null;
  /** In whose name requests go out. */
  readonly owner: () => string | null;
  /** Gets a new token for the same session. */
  readonly refresh: TE.TaskEither<Failure, void>;
  /** The session cannot be kept: the user is told, and it ends. */
  readonly expired: () => void;
}

/** Whether a failed refresh says that the session is over; no answer, a broken server and "too many" say nothing. */
export const endsSession = (failure: Failure): boolean =>
  failure.kind === "refused" ? failure.status < 500 && failure.status !== 429 : !isUnanswered(failure);

type Outcome = E.Either<Failure, HttpResponse>;

const isUnauthorised = (outcome: Outcome): outcome is E.Right<HttpResponse> =>
  E.isRight(outcome) && outcome.right.status === 401;

/**
 * Answers a 401 with a new token and one repetition (RQ6). Requests that sign in or out are left alone, and nothing is
 * repeated once another user, or nobody, is signed in. Where another request or another tab has had the token replaced
 * meanwhile, the repetition goes out with that.
 */
export const withFreshSession =
  ({ token, owner, refresh, expired }: SessionWatch) =>
  (next: Http): Http =>
  (request) =>
  () => {
    const [asked, sent] = [owner(), token()];
    const isOurs = (): boolean => asked !== null && owner() === asked;
    const over = (outcome: Outcome): Outcome => {
      if (!isUnauthorised(outcome) || !isOurs()) return outcome;
      expired();
      return E.right({ ...outcome.right, told: true });
    };
    const again = (refused: Outcome): Outcome | Promise<Outcome> =>
      isOurs() ? next(request)().then(over) : refused;
    const after = (refused: Outcome) =>
      E.matchW(
        (failure: Failure) => (endsSession(failure) ? over(refused) : E.left(failure)),
        () => again(refused),
      );
    return next(request)().then((outcome) => {
      const isMeant = isUnauthorised(outcome) && sent !== null && isOurs();
      if (!isMeant || isAuthenticationPath(request.url)) return outcome;
      return token() === sent ? refresh().then(after(outcome)) : again(outcome);
    });
  };
