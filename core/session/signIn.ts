import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, map, Subscription } from "rxjs";
import { busy, type Failure, unavailable } from "../kernel/failure.ts";
import { makeState, mapState, type State } from "../kernel/state.ts";
import { makeSubmission } from "../kernel/submission.ts";
import type { Clock } from "../ports/clock.ts";
import type { Call } from "../requests/call.ts";
import type { Operation } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { Tier } from "../tiers/tier.ts";
import { countdown } from "./resend.ts";
import type { SessionState } from "./session.ts";
import type { SignedIn } from "./sessionEndpoints.ts";
import type { SignInOutcome } from "./signInAnswer.ts";
import { makeSignInCalls } from "./signInCalls.ts";
import { firstStep, type SignInEvent, type SignInStep, step } from "./signInSteps.ts";

/** The one form in which people sign in, step by step (SI1). */
export interface SignIn {
  readonly step$: State<SignInStep>;
  /** True while one submission runs and for 500 ms after it; then further ones fail with `busy` (SI7). */
  readonly busy$: State<boolean>;
  /** True between the sign-in of somebody without a key and `finishKeySetup` (SI1, SI11). */
  readonly isKeySetup$: State<boolean>;
  /** The key is set up, or put off: the sign-in is complete. */
  readonly finishKeySetup: () => void;
  readonly requestCode: (email: string) => TE.TaskEither<Problem, void>;
  /** Fails with `busy` until the countdown has reached 0 (SI5). */
  readonly resend: () => TE.TaskEither<Problem, void>;
  readonly verifyCode: (otp: string) => TE.TaskEither<Problem, void>;
  readonly verifyTwoFactor: (code: string) => TE.TaskEither<Problem, void>;
  /**
   * Free opens the account at once; a paid plan needs a server with payments (D38), and the checkout in which it was
   * paid unless the server knows of it.
   */
  readonly choosePlan: (tier: Tier, checkoutSessionId?: string) => TE.TaskEither<Problem, void>;
  /** What proves the mailbox of somebody who chooses a plan; empty in the other steps. */
  readonly ticket: () => string;
  /** On to the code entry without another code: one that came before is at hand. */
  readonly enterCode: (email: string) => TE.TaskEither<Problem, void>;
  /** Back to the code entry, where another code can be sent at once: the one before was used (SI11). */
  readonly cancelPlan: () => void;
  /** Back to the first step; the address is there to be edited (SI6). */
  readonly useDifferentEmail: () => void;
  /** Whether there is an account of this address, as far as the server tells (SI12, D35). */
  readonly userExists: (email: string) => TE.TaskEither<Problem, boolean>;
}

interface Needs {
  readonly call: Call;
  readonly clock: Clock;
  readonly session: { readonly state$: State<SessionState>; readonly begin: (signedIn: SignedIn) => boolean };
  /** What is said when somebody is in. */
  readonly welcome: () => void;
  readonly payments: boolean;
  /** Whether a key can be set up. */
  readonly encryption: boolean;
}

export const makeSignIn = (needs: Needs): SignIn & { readonly start: () => Subscription } => {
  const { clock, session } = needs;
  const calls = makeSignInCalls(needs.call);
  const submission = makeSubmission(clock.scheduler);
  const state$ = makeState(firstStep);
  const isKeySetup$ = makeState(false);
  const happened = (event: SignInEvent): void => state$.update((state) => step(state, event));

  const submit = (operation: Operation, task: TE.TaskEither<Problem, void>): TE.TaskEither<Problem, void> =>
    submission.run(task, problemOf(operation)(busy));

  const sendCode = (operation: Operation, email: string): TE.TaskEither<Problem, void> =>
    submit(
      operation,
      pipe(
        calls.requestCode(email),
        TE.map((sentTo) => happened({ kind: "code-sent", email: sentTo, now: clock.now() })),
        TE.mapLeft(problemOf(operation)),
      ),
    );

  const enter = (signedIn: SignedIn): E.Either<Problem, void> => {
    const lacksKey = needs.encryption && signedIn.user.keyStatus === "not-configured";
    isKeySetup$.set(lacksKey);
    if (!session.begin(signedIn)) {
      isKeySetup$.set(false);
      return E.left(problemOf("keepSession")(unavailable("storage")));
    }
    if (!lacksKey) needs.welcome();
    return E.right(undefined);
  };

  /** Goes where the answer leads, unless the user has gone elsewhere meanwhile. */
  const proceed = (operation: Operation, task: TE.TaskEither<Failure, SignInOutcome>) => {
    const asked = state$.value.at;
    const isStill = (): boolean =>
      state$.value.at.step === asked.step && state$.value.at.email === asked.email;
    const follow = (outcome: SignInOutcome): E.Either<Problem, void> => {
      if (!isStill()) return E.right(undefined);
      if (outcome.kind === "signed-in") return enter(outcome.signedIn);
      return E.right(happened({ kind: "answered", outcome }));
    };
    return submit(operation, pipe(task, TE.mapLeft(problemOf(operation)), TE.chainEitherK(follow)));
  };

  return {
    step$: mapState(state$, ({ at }) => at),
    busy$: submission.busy$,
    isKeySetup$,
    finishKeySetup: () => {
      if (!isKeySetup$.value) return;
      isKeySetup$.set(false);
      needs.welcome();
    },
    requestCode: (email) => sendCode("requestCode", email),
    resend: () => {
      const { at } = state$.value;
      const ready = at.step === "code" && at.resendInSeconds === 0;
      return ready ? sendCode("resendCode", at.email) : TE.left(problemOf("resendCode")(busy));
    },
    verifyCode: (otp) => proceed("verifyCode", calls.verifyCode(state$.value.at.email, otp)),
    verifyTwoFactor: (code) => {
      const { at, tempToken } = state$.value;
      return proceed("verifyTwoFactor", calls.verifyTwoFactor(at.email, code, tempToken));
    },
    ticket: () => (state$.value.at.step === "plan" ? state$.value.tempToken : ""),
    choosePlan: (tier, checkoutSessionId) =>
      tier === "free" || needs.payments
        ? proceed("signUp", calls.signUp(state$.value.tempToken, tier, checkoutSessionId))
        : TE.left(problemOf("choosePaidPlan")(unavailable("payments"))),
    enterCode: (email) =>
      pipe(
        calls.checkedEmail(email),
        TE.map((checked) => happened({ kind: "code-at-hand", email: checked, now: clock.now() })),
        TE.mapLeft(problemOf("requestCode")),
      ),
    cancelPlan: () => happened({ kind: "plan-cancelled", now: clock.now() }),
    useDifferentEmail: () => happened({ kind: "different-email" }),
    userExists: (email) => pipe(calls.userExists(email), TE.mapLeft(problemOf("checkUserExists"))),
    start: () => {
      const resendAt$ = state$.pipe(
        map(({ at, resendAt }) => (at.step === "code" && at.resendInSeconds > 0 ? resendAt : null)),
      );
      const running = new Subscription();
      running.add(
        countdown(resendAt$, clock.scheduler).subscribe(() => happened({ kind: "ticked", now: clock.now() })),
      );
      running.add(
        session.state$
          .pipe(filter(({ kind }) => kind === "signed-in"))
          .subscribe(() => state$.set(firstStep)),
      );
      running.add(
        session.state$
          .pipe(filter(({ kind }) => kind === "signed-out"))
          .subscribe(() => isKeySetup$.set(false)),
      );
      return running;
    },
  };
};
