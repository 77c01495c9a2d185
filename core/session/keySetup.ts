import type { Observable, Subscription } from "rxjs";
import { createState, type State } from "../kernel/state.ts";
import type { SessionState } from "./session.ts";
import type { SignInMemory } from "./signIn/signInMemory.ts";

/** The step after the sign-in of a user without an encryption key; a reload of the tab returns to it. */
export class KeySetup {
  readonly isShown$: State<boolean>;
  readonly #isShown$ = createState(false);
  readonly #memory: SignInMemory;
  readonly #onFinished: () => void;

  constructor(memory: SignInMemory, onFinished: () => void) {
    this.isShown$ = this.#isShown$;
    this.#memory = memory;
    this.#onFinished = onFinished;
  }

  /** Shows the step, or no more. */
  show(isShown: boolean): void {
    this.#isShown$.set(isShown);
  }

  /** Remembers that this user is at the step. */
  remember(email: string): void {
    this.#memory.rememberKeySetup(email);
  }

  /** Ends the step, done or postponed. */
  finish(): void {
    if (!this.isShown$.value) return;
    this.#memory.forgetKeySetup();
    this.show(false);
    this.#onFinished();
  }

  /** Returns to the step in a session that goes on, and leaves it with the session. */
  follow(session$: Observable<SessionState>): Subscription {
    return session$.subscribe((session) => {
      if (session.kind === "signed-out") this.show(false);
      if (session.kind === "signed-in" && this.#memory.isAtKeySetup(session.user.email)) this.show(true);
    });
  }
}
