import type { Observable, Subscription } from "rxjs";
import { createState, type State } from "../kernel/state.ts";
import type { SessionState } from "./session.ts";
import type { StepMemory } from "./signIn/signInMemory.ts";

/** A step that follows a sign-in, such as the setup of a key; a reload of the tab returns to it. */
export class SetupStep {
  readonly isShown$: State<boolean>;
  readonly #isShown$ = createState(false);
  readonly #memory: StepMemory;
  readonly #onFinished: () => void;

  constructor(memory: StepMemory, onFinished: () => void) {
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
    this.#memory.remember(email);
  }

  /** Ends the step, done or postponed. */
  finish(): void {
    if (!this.isShown$.value) return;
    this.#memory.forget();
    this.show(false);
    this.#onFinished();
  }

  /** Returns to the step in a session that goes on, and leaves it with the session. */
  follow(session$: Observable<SessionState>): Subscription {
    return session$.subscribe((session) => {
      if (session.kind === "signed-out") this.show(false);
      if (session.kind === "signed-in" && this.#memory.isAt(session.user.email)) this.show(true);
    });
  }
}
