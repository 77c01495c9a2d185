import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, map, Subscription } from "rxjs";
import type { Call } from "../../api/call.ts";
import { type Operation, type Problem, problemOf } from "../../api/errorMessages.ts";
import { busy, type Failure, isRefused, unavailable } from "../../kernel/failure.ts";
import { SingleFlight } from "../../kernel/singleFlight.ts";
import { createState, mapState, type State, type WritableState } from "../../kernel/state.ts";
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
  type SignInState,
  type SignInStep,
} from "./signInSteps.ts";

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

/**
 * Leads a visitor through the steps of the sign-in form.
 */
export class SignIn {
  readonly step$: State<SignInStep>;
  /** True while an action runs and for 500 ms after it; further ones then fail with `busy`. */
  readonly busy$: State<boolean>;
  /** True between the sign-in of a user without an encryption key and `finishKeySetup`. */
  readonly isKeySetup$: State<boolean>;
  /** True for a new account, after the key setup, until `finishTwoFactorSetup`: it is offered once (SI16). */
  readonly isTwoFactorSetup$: State<boolean>;
  readonly #deps: Deps;
  readonly #calls: ReturnType<typeof createSignInCalls>;
  readonly #singleFlight: SingleFlight;
  readonly #state$: WritableState<SignInState>;
  readonly #keySetup: SetupStep;
  readonly #twoFactorSetup: SetupStep;

  constructor(deps: Deps) {
    const { call, clock, memory, onSignedIn } = deps;
    this.#deps = deps;
    this.#calls = createSignInCalls(call);
    this.#singleFlight = new SingleFlight(clock.scheduler);
    this.#state$ = createState(restoredStep(memory.pendingStep(), clock.now()));
    this.#keySetup = new SetupStep(memory.keySetup, onSignedIn);
    this.#twoFactorSetup = new SetupStep(memory.twoFactorSetup, () => {});
    this.step$ = mapState(this.#state$, ({ at }) => at);
    this.busy$ = this.#singleFlight.busy$;
    this.isKeySetup$ = this.#keySetup.isShown$;
    this.isTwoFactorSetup$ = this.#twoFactorSetup.isShown$;
  }

  /** Returns the address that this tab was sent a code for, while the code can be entered; null otherwise. */
  readonly pendingCodeFor = (): string | null => {
    const pending = this.#deps.memory.pendingStep();
    return pending?.step === "code" ? pending.email : null;
  };

  /** Completes the sign-in after the key setup is done or postponed. */
  readonly finishKeySetup = (): void => {
    this.endOffers();
    this.#keySetup.finish();
  };

  /** Has nothing more offered in this session, which began with the key setup or has answered an offer. */
  readonly endOffers = (): void => {
    const { value } = this.#deps.session.state$;
    if (value.kind === "signed-in") this.#deps.memory.offersEnded.remember(value.user.email);
  };

  readonly areOffersEnded = (): boolean => {
    const { value } = this.#deps.session.state$;
    return value.kind === "signed-in" && this.#deps.memory.offersEnded.isAt(value.user.email);
  };

  readonly finishTwoFactorSetup = (): void => this.#twoFactorSetup.finish();

  readonly requestCode = (email: string): TE.TaskEither<Problem, void> =>
    this.#sendCode("requestCode", email);

  /** Sends another code; fails with `busy` until the countdown has reached 0. */
  readonly resend = (): TE.TaskEither<Problem, void> => {
    const { at } = this.#state$.value;
    const ready = at.step === "code" && at.resendInSeconds === 0;
    return ready ? this.#sendCode("resendCode", at.email) : TE.left(problemOf("resendCode")(busy));
  };

  readonly verifyCode = (otp: string): TE.TaskEither<Problem, void> =>
    this.#proceed("verifyCode", this.#calls.verifyCode(this.#state$.value.at.email, otp));

  /** Signs in with a link from the server's operator, which names an address and has a token (`signInLink.ts`). */
  readonly openLink = ({ email, token }: SignInLink): TE.TaskEither<Problem, void> => {
    this.#dispatch({ kind: "link-opened", email });
    return this.#proceed("openLink", this.#calls.openLink(token));
  };

  /** Goes on with a ticket of single sign-on (`singleSignOn.ts`). */
  readonly openTicket = (ticket: string): TE.TaskEither<Problem, void> =>
    this.signInBy(this.#deps.call(openSignOnTicket)({ body: { ticket } }));

  /** Signs in with the answer to a proof other than a code, such as a passkey. */
  readonly signInBy = (proof: TE.TaskEither<Failure, LoginAnswer>): TE.TaskEither<Problem, void> =>
    this.#submit(
      "openLink",
      pipe(
        this.#calls.nextStep(proof),
        TE.mapLeft(problemOf("openLink")),
        TE.chainEitherK(({ email, outcome }) => {
          if (outcome === null) return E.right(this.#onCodeSent(email, true));
          this.#dispatch({ kind: "link-opened", email });
          return this.#applyOutcome(outcome, false);
        }),
      ),
    );

  readonly verifyTwoFactor = (code: string): TE.TaskEither<Problem, void> => {
    const { at, tempToken } = this.#state$.value;
    return this.#proceed("verifyTwoFactor", this.#calls.verifyTwoFactor(at.email, code, tempToken));
  };

  /** Returns the token that proves the mailbox while the user chooses a plan; empty in the other steps. */
  readonly ticket = (): string => (this.#state$.value.at.step === "plan" ? this.#state$.value.tempToken : "");

  /**
   * Creates the account with the chosen plan. A paid plan needs a server with payments, and the id of the checkout
   * session unless the server already knows of the payment. The server says in the step whether an invitation is
   * needed.
   */
  readonly choosePlan = (tier: Tier, proof?: SignUpProof): TE.TaskEither<Problem, void> =>
    tier === "free" || this.#deps.payments
      ? this.#proceed(
          "signUp",
          this.#forgettingWhenExpired(this.#calls.signUp(this.#state$.value.tempToken, tier, proof)),
        )
      : TE.left(problemOf("choosePaidPlan")(unavailable("payments")));

  /** Goes to the code entry without sending a code, for a user who already has one. */
  readonly enterCode = (email: string): TE.TaskEither<Problem, void> =>
    pipe(
      this.#calls.validateEmail(email),
      TE.map((checked) =>
        this.#dispatch({ kind: "code-at-hand", email: checked, now: this.#deps.clock.now() }),
      ),
      TE.mapLeft(problemOf("requestCode")),
    );

  /** Goes back to the code entry, where another code can be sent immediately because the last one is used up. */
  readonly cancelPlan = (): void => {
    this.#deps.memory.forget();
    this.#dispatch({ kind: "plan-cancelled", now: this.#deps.clock.now() });
  };

  /** Goes back to the first step with the address filled in. */
  readonly useDifferentEmail = (): void => {
    if (this.#state$.value.at.step !== "code") this.#deps.memory.forget();
    this.#dispatch({ kind: "different-email" });
  };

  /** Returns whether an account with this address exists, if the server discloses it. */
  readonly userExists = (email: string): TE.TaskEither<Problem, boolean> =>
    pipe(this.#calls.userExists(email), TE.mapLeft(problemOf("checkUserExists")));

  readonly start = (): Subscription => {
    const resendAt$ = this.#state$.pipe(
      map(({ at, resendAt }) => (at.step === "code" && at.resendInSeconds > 0 ? resendAt : null)),
    );
    const running = new Subscription();
    running.add(
      countdown(resendAt$, this.#deps.clock.scheduler).subscribe(() =>
        this.#dispatch({ kind: "ticked", now: this.#deps.clock.now() }),
      ),
    );
    running.add(
      this.#deps.session.state$.pipe(filter(({ kind }) => kind === "signed-in")).subscribe(() => {
        this.#deps.memory.forget();
        this.#state$.set(firstStep);
      }),
    );
    running.add(this.#keySetup.follow(this.#deps.session.state$));
    running.add(this.#twoFactorSetup.follow(this.#deps.session.state$));
    return running;
  };

  #dispatch(event: SignInEvent): void {
    this.#state$.update((state) => reduceSignIn(state, event));
  }

  #submit(operation: Operation, task: TE.TaskEither<Problem, void>): TE.TaskEither<Problem, void> {
    return this.#singleFlight.run(task, problemOf(operation)(busy));
  }

  #onCodeSent(email: string, connects?: true): void {
    this.#deps.memory.remember({ step: "code", email });
    this.#dispatch({ kind: "code-sent", email, now: this.#deps.clock.now(), connects });
  }

  #sendCode(operation: Operation, email: string): TE.TaskEither<Problem, void> {
    return this.#submit(
      operation,
      pipe(
        this.#calls.requestCode(email),
        TE.map((sentTo) => this.#onCodeSent(sentTo)),
        TE.mapLeft(problemOf(operation)),
      ),
    );
  }

  #completeSignIn({ token, user }: SignedIn, isNew: boolean): E.Either<Problem, void> {
    const signedIn = { token, user: { ...user, email: user.email || this.#state$.value.at.email } };
    const { keyStatus, keyOffer } = user;
    const lacksKey = this.#deps.encryption && keyStatus === "not-configured" && keyOffer !== "declined";
    this.#keySetup.show(lacksKey);
    if (!this.#deps.session.startSession(signedIn)) {
      this.#keySetup.show(false);
      return E.left(problemOf("keepSession")(unavailable("storage")));
    }
    this.#deps.memory.forget();
    if (isNew && !user.twoFactor.enabled) {
      this.#twoFactorSetup.remember(signedIn.user.email);
      this.#twoFactorSetup.show(true);
    }
    if (lacksKey) this.#keySetup.remember(signedIn.user.email);
    else this.#deps.onSignedIn();
    return E.right(undefined);
  }

  #applyOutcome(outcome: SignInOutcome, isNew: boolean): E.Either<Problem, void> {
    if (outcome.kind === "signed-in") return this.#completeSignIn(outcome.signedIn, isNew);
    this.#deps.memory.remember(pendingStepOf(this.#state$.value.at.email, outcome));
    return E.right(this.#dispatch({ kind: "answered", outcome }));
  }

  /** Forgets the step of a new user whose token the server no longer takes: a reload begins with the address. */
  #forgettingWhenExpired<A>(task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> {
    return pipe(
      task,
      TE.orElseFirstIOK((failure) => () => {
        if (isRefused(failure, 401)) this.#deps.memory.forget();
      }),
    );
  }

  /** Runs a request and applies its outcome, unless the user has left the step in the meantime. */
  #proceed(operation: Operation, task: TE.TaskEither<Failure, SignInOutcome>) {
    const stepAtStart = this.#state$.value.at;
    const isSameStep = (): boolean =>
      this.#state$.value.at.step === stepAtStart.step && this.#state$.value.at.email === stepAtStart.email;
    return this.#submit(
      operation,
      pipe(
        task,
        TE.mapLeft(problemOf(operation)),
        TE.chainEitherK((outcome) =>
          isSameStep() ? this.#applyOutcome(outcome, operation === "signUp") : E.right(undefined),
        ),
      ),
    );
  }
}
