import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, EMPTY, finalize, type Observable, switchMap, timer } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { minuteMs } from "../kernel/durations.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Authenticator, Authenticators } from "../ports/authenticator.ts";
import type { Clock } from "../ports/clock.ts";
import type { SignIn } from "../session/signIn/signIn.ts";
import { getSignInOptions, signInWithPasskey } from "./passkeyEndpoints.ts";
import { type PasskeyAnswer, usePasskey } from "./usedPasskey.ts";

/** A request to an authenticator is renewed this often, before the server no longer takes its answer. */
const renewEachMs = 4 * minuteMs;

/** The sign-in with a passkey, which needs no address. */
export interface PasskeySignIn {
  /** True if the page is open where passkeys can work. */
  readonly isSupported: () => boolean;
  /** Opens the browser's dialog and signs in; succeeds without a sign-in when the user closes it. */
  readonly ask: () => TE.TaskEither<Problem, void>;
  /** Returns the passkey that was used last, with its secret, once; null where none was. */
  readonly takeAnswer: () => PasskeyAnswer | null;
  /** Offers passkeys among the suggestions of the field while somebody listens; emits why one did not log in. */
  readonly offered$: Observable<Problem>;
}

export interface PasskeySignInDeps {
  readonly call: Call;
  readonly authenticator: Authenticator;
  readonly clock: Pick<Clock, "scheduler">;
  readonly signIn: Pick<SignIn, "signInBy">;
}

const toProblem = problemOf({ page: "This browser cannot use a passkey here" });

/** Creates the sign-in with passkeys; nothing is asked for until it is used. */
export const createPasskeySignIn = ({
  call,
  authenticator,
  clock,
  signIn,
}: PasskeySignInDeps): PasskeySignIn => {
  let answer: PasskeyAnswer | null = null;
  const answerIn = (place: "dialog" | "field"): TE.TaskEither<Failure, PasskeyAnswer> =>
    pipe(
      call(getSignInOptions)({ silent: true }),
      TE.chain(({ options }) => usePasskey(authenticator, options, place)),
    );
  const signInWith = (given: PasskeyAnswer): TE.TaskEither<Problem, void> => {
    answer = given;
    return signIn.signInBy(call(signInWithPasskey)({ body: given.used }));
  };
  const ask = (place: "dialog" | "field"): TE.TaskEither<Problem, void> =>
    pipe(
      answerIn(place),
      TE.foldW(
        (failure): TE.TaskEither<Problem, void> =>
          failure.kind === "cancelled" ? TE.right(undefined) : TE.left(toProblem(failure)),
        signInWith,
      ),
    );
  const offeredBy = ({ offersInField, cancel }: Authenticators): Observable<Problem> =>
    defer(offersInField).pipe(
      switchMap((isOffered) => (isOffered ? timer(0, renewEachMs, clock.scheduler) : EMPTY)),
      switchMap(() => defer(ask("field"))),
      // Without the server there is nothing to suggest, and the form says so when it is used.
      switchMap((signedIn) =>
        E.isLeft(signedIn) && signedIn.left.failure.kind === "refused" ? [signedIn.left] : EMPTY,
      ),
      finalize(cancel),
    );
  return {
    isSupported: authenticator.isSupported,
    takeAnswer: () => {
      const taken = answer;
      answer = null;
      return taken;
    },
    ask: () => ask("dialog"),
    offered$: defer(authenticator.load).pipe(
      switchMap((loaded) => (E.isRight(loaded) ? offeredBy(loaded.right) : EMPTY)),
    ),
  };
};
