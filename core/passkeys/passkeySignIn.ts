import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { defer, EMPTY, filter, finalize, from, map, type Observable, switchMap, timer } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { minuteMs } from "../kernel/durations.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Authenticator, Authenticators } from "../ports/authenticator.ts";
import type { Clock } from "../ports/clock.ts";
import type { SignIn } from "../session/signIn/signIn.ts";
import { authenticatorFailure } from "./authenticatorFailure.ts";
import { getSignInOptions, signInWithPasskey, type UsedPasskey } from "./passkeyEndpoints.ts";
import { decodeUsed } from "./usedPasskey.ts";

/** A request to an authenticator is renewed this often, before the server no longer takes its answer. */
const renewEachMs = 4 * minuteMs;

/** The sign-in with a passkey, which needs no address. */
export interface PasskeySignIn {
  /** Whether the page is open where passkeys can work. */
  readonly isSupported: () => boolean;
  /** Opens the browser's dialog and signs in; succeeds without a sign-in when the user closes it. */
  readonly ask: () => TE.TaskEither<Problem, void>;
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
  const answerIn = (place: "dialog" | "field"): TE.TaskEither<Failure, UsedPasskey> =>
    pipe(
      call(getSignInOptions)({ silent: true }),
      TE.chain(({ options }) =>
        pipe(
          authenticator.load,
          TE.chain((loaded) => loaded.use(options, place)),
          TE.mapLeft(authenticatorFailure),
        ),
      ),
      TE.chainEitherK(decodeUsed),
    );
  const signInWith = (body: UsedPasskey): TE.TaskEither<Problem, void> =>
    signIn.signInBy(call(signInWithPasskey)({ body }));
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
    from(offersInField()).pipe(
      switchMap((isOffered) => (isOffered ? timer(0, renewEachMs, clock.scheduler) : EMPTY)),
      switchMap(() => defer(ask("field"))),
      filter(E.isLeft),
      map(({ left }) => left),
      // Without the server there is nothing to suggest, and the form says so when it is used.
      filter(({ failure }) => failure.kind === "refused"),
      finalize(cancel),
    );
  return {
    isSupported: authenticator.isSupported,
    ask: () => ask("dialog"),
    offered$: defer(() => from(authenticator.load())).pipe(
      switchMap((loaded) => (E.isRight(loaded) ? offeredBy(loaded.right) : EMPTY)),
    ),
  };
};
