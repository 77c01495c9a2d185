import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, map, Subscription } from "rxjs";
import type { Call } from "../../api/call.ts";
import { type Operation, type Problem, problemOf } from "../../api/errorMessages.ts";
import { busy, type Failure, isRefused, unavailable } from "../../kernel/failure.ts";
import { SingleFlight } from "../../kernel/singleFlight.ts";
import { createState, mapState, type State } from "../../kernel/state.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Tier } from "../../tiers/tier.ts";
import { countdown } from "../oneTimeCode.ts";
import type { SessionState } from "../session.ts";
import { type LoginAnswer, openSignOnTicket, type SignedIn } from "../sessionEndpoints.ts";
import { SetupStep } from "../setupStep.ts";
import { createSignInCalls, type SignInOutcome, type SignUpProof } from "./signInCalls.ts";
import type { SignInLink } from "./signInLink.ts";
import type { SignInMemory } from "./signInMemory.ts";
import {
  firstStep,
  pendingStepOf,
  reduceSignIn,
  restoredStep,
  type SignInEvent,
  type SignInStep,
} from "./signInSteps.ts";

/** The sign-in form with its steps. */
export interface SignIn {
  readonly step$: State<SignInStep>;
  /** The address that this tab was sent a code for, while the code can be entered; null otherwise. */
  readonly pendingCodeFor: () => string | null;
  /** True while an action runs and for 500 ms after it; further ones then fail with `busy`. */
  readonly busy$: State<boolean>;
  /** True between the sign-in of a user without an encryption key and `finishKeySetup`. */
  readonly isKeySetup$: State<boolean>;
  /** Completes the sign-in after the key setup is done or postponed. */
  readonly finishKeySetup: () => void;
  /** True for a new account, after the key setup, until `finishTwoFactorSetup`: it is offered once (SI16). */
  readonly isTwoFactorSetup$: State<boolean>;
  readonly finishTwoFactorSetup: () => void;
  readonly requestCode: (email: string) => TE.TaskEither<Problem, void>;
  /** Sends another code; fails with `busy` until the countdown has reached 0. */
  readonly resend: () => TE.TaskEither<Problem, void>;
  readonly verifyCode: (otp: string) => TE.TaskEither<Problem, void>;
  /** Signs in with a link from the server's operator, which names an address and has a token (`signInLink.ts`). */
  readonly openLink: (link: SignInLink) => TE.TaskEither<Problem, void>;
  /** Goes on with a ticket of single sign-on (`singleSignOn.ts`). */
  readonly openTicket: (ticket: string) => TE.TaskEither<Problem, void>;
  /** Signs in with the answer to a proof other than a code, such as a passkey. */
  readonly signInBy: (proof: TE.TaskEither<Failure, LoginAnswer>) => TE.TaskEither<Problem, void>;
  readonly verifyTwoFactor: (code: string) => TE.TaskEither<Problem, void>;
  /**
   * Creates the account with the chosen plan. A paid plan needs a server with payments, and the id of the checkout
   * session unless the server already knows of the payment. The server says in the step whether an invitation is
   * needed.
   */
  readonly choosePlan: (tier: Tier, proof?: SignUpProof) => TE.TaskEither<Problem, void>;
  /** Returns the token that proves the mailbox while the user chooses a plan; empty in the other steps. */
  readonly ticket: () => string;
  /** Goes to the code entry without sending a code, for a user who already has one. */
  readonly enterCode: (email: string) => TE.TaskEither<Problem, void>;
  /** Goes back to the code entry, where another code can be sent immediately because the last one is used up. */
  readonly cancelPlan: () => void;
  /** Goes back to the first step with the address filled in. */
  readonly useDifferentEmail: () => void;
  /** Returns whether an account with this address exists, if the server discloses it. */
  readonly userExists: (email: string) => TE.TaskEither<Problem, boolean>;
}

interface Deps {
  readonly memory: SignInMemory;
  readonly call: Call;
  readonly clock: Clock;
  readonly session: {
    readonly state$: State<SessionState>;
    readonly startSession: (signedIn: SignedIn) => boolean;
  };
  readonly onSignedIn: () => void;
  readonly payments: boolean;
  readonly encryption: boolean;
}

/** Creates the sign-in form at its first step. */
export const createSignIn = (deps: Deps): SignIn & { readonly start: () => Subscription } => {
  const { call, clock, session, memory } = deps;
  const calls = createSignInCalls(call);
  const singleFlight = new SingleFlight(clock.scheduler);
  const state$ = createState(restoredStep(memory.pendingStep(), clock.now()));
  const keySetup = new SetupStep(memory.keySetup, deps.onSignedIn);
  const twoFactorSetup = new SetupStep(memory.twoFactorSetup, () => {});
  const dispatch = (event: SignInEvent): void => state$.update((state) => reduceSignIn(state, event));

  const submit = (operation: Operation, task: TE.TaskEither<Problem, void>): TE.TaskEither<Problem, void> =>
    singleFlight.run(task, problemOf(operation)(busy));

  const onCodeSent = (email: string, connects?: true): void => {
    memory.remember({ step: "code", email });
    dispatch({ kind: "code-sent", email, now: clock.now(), connects });
  };
  const sendCode = (operation: Operation, email: string): TE.TaskEither<Problem, void> =>
    submit(
      operation,
      pipe(
        calls.requestCode(email),
        TE.map((sentTo) => onCodeSent(sentTo)),
        TE.mapLeft(problemOf(operation)),
      ),
    );

  const completeSignIn = ({ token, user }: SignedIn, isNew: boolean): E.Either<Problem, void> => {
    const signedIn = { token, user: { ...user, email: user.email || state$.value.at.email } };
    const { keyStatus, keyOffer } = user;
    const lacksKey = deps.encryption && keyStatus === "not-configured" && keyOffer !== "declined";
    keySetup.show(lacksKey);
    if (!session.startSession(signedIn)) {
      keySetup.show(false);
      return E.left(problemOf("keepSession")(unavailable("storage")));
    }
    memory.forget();
    if (isNew && !user.twoFactor.enabled) {
      twoFactorSetup.remember(signedIn.user.email);
      twoFactorSetup.show(true);
    }
    if (lacksKey) keySetup.remember(signedIn.user.email);
    else deps.onSignedIn();
    return E.right(undefined);
  };

  const applyOutcome = (outcome: SignInOutcome, isNew: boolean): E.Either<Problem, void> => {
    if (outcome.kind === "signed-in") return completeSignIn(outcome.signedIn, isNew);
    memory.remember(pendingStepOf(state$.value.at.email, outcome));
    return E.right(dispatch({ kind: "answered", outcome }));
  };

  /** Runs a request and applies its outcome, unless the user has left the step in the meantime. */
  const proceed = (operation: Operation, task: TE.TaskEither<Failure, SignInOutcome>) => {
    const stepAtStart = state$.value.at;
    const isSameStep = (): boolean =>
      state$.value.at.step === stepAtStart.step && state$.value.at.email === stepAtStart.email;
    return submit(
      operation,
      pipe(
        task,
        TE.mapLeft(problemOf(operation)),
        TE.chainEitherK((outcome) =>
          isSameStep() ? applyOutcome(outcome, operation === "signUp") : E.right(undefined),
        ),
      ),
    );
  };

  const signInBy: SignIn["signInBy"] = (proof) =>
    submit(
      "openLink",
      pipe(
        calls.nextStep(proof),
        TE.mapLeft(problemOf("openLink")),
        TE.chainEitherK(({ email, outcome }) => {
          if (outcome === null) return E.right(onCodeSent(email, true));
          dispatch({ kind: "link-opened", email });
          return applyOutcome(outcome, false);
        }),
      ),
    );

  /** Forgets the step of a new user whose token the server no longer takes: a reload begins with the address. */
  const forgetWhenExpired = TE.orElseFirstIOK((failure: Failure) => () => {
    if (isRefused(failure, 401)) memory.forget();
  });

  return {
    step$: mapState(state$, ({ at }) => at),
    pendingCodeFor: () => {
      const pending = memory.pendingStep();
      return pending?.step === "code" ? pending.email : null;
    },
    busy$: singleFlight.busy$,
    isKeySetup$: keySetup.isShown$,
    finishKeySetup: () => keySetup.finish(),
    isTwoFactorSetup$: twoFactorSetup.isShown$,
    finishTwoFactorSetup: () => twoFactorSetup.finish(),
    requestCode: (email) => sendCode("requestCode", email),
    resend: () => {
      const { at } = state$.value;
      const ready = at.step === "code" && at.resendInSeconds === 0;
      return ready ? sendCode("resendCode", at.email) : TE.left(problemOf("resendCode")(busy));
    },
    verifyCode: (otp) => proceed("verifyCode", calls.verifyCode(state$.value.at.email, otp)),
    openLink: ({ email, token }) => {
      dispatch({ kind: "link-opened", email });
      return proceed("openLink", calls.openLink(token));
    },
    openTicket: (ticket) => signInBy(call(openSignOnTicket)({ body: { ticket } })),
    signInBy,
    verifyTwoFactor: (code) => {
      const { at, tempToken } = state$.value;
      return proceed("verifyTwoFactor", calls.verifyTwoFactor(at.email, code, tempToken));
    },
    ticket: () => (state$.value.at.step === "plan" ? state$.value.tempToken : ""),
    choosePlan: (tier, proof) =>
      tier === "free" || deps.payments
        ? proceed("signUp", forgetWhenExpired(calls.signUp(state$.value.tempToken, tier, proof)))
        : TE.left(problemOf("choosePaidPlan")(unavailable("payments"))),
    enterCode: (email) =>
      pipe(
        calls.validateEmail(email),
        TE.map((checked) => dispatch({ kind: "code-at-hand", email: checked, now: clock.now() })),
        TE.mapLeft(problemOf("requestCode")),
      ),
    cancelPlan: () => {
      memory.forget();
      dispatch({ kind: "plan-cancelled", now: clock.now() });
    },
    useDifferentEmail: () => {
      if (state$.value.at.step !== "code") memory.forget();
      dispatch({ kind: "different-email" });
    },
    userExists: (email) => pipe(calls.userExists(email), TE.mapLeft(problemOf("checkUserExists"))),
    start: () => {
      const resendAt$ = state$.pipe(
        map(({ at, resendAt }) => (at.step === "code" && at.resendInSeconds > 0 ? resendAt : null)),
      );
      const running = new Subscription();
      running.add(
        countdown(resendAt$, clock.scheduler).subscribe(() => dispatch({ kind: "ticked", now: clock.now() })),
      );
      running.add(
        session.state$.pipe(filter(({ kind }) => kind === "signed-in")).subscribe(() => {
          memory.forget();
          state$.set(firstStep);
        }),
      );
      running.add(keySetup.follow(session.state$));
      running.add(twoFactorSetup.follow(session.state$));
      return running;
    },
  };
};
