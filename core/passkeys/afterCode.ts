import type { Subscription } from "rxjs";
import { filter, map } from "rxjs";
import { createState, type State } from "../kernel/state.ts";
import type { SignIn } from "../session/signIn/signIn.ts";

/** True if this page was signed in to with a mailed code, which is when a passkey is offered. */
export interface AfterCode {
  readonly isAfterCode$: State<boolean>;
}

/** Follows the steps of the sign-in from the code on; a new user, who chooses a plan after it, has enough to do. */
export const createAfterCode = ({
  signIn,
}: {
  readonly signIn: Pick<SignIn, "step$">;
}): AfterCode & { readonly start: () => Subscription } => {
  const isAfterCode$ = createState(false);
  return {
    isAfterCode$,
    start: () =>
      signIn.step$
        .pipe(
          filter(({ step }) => step !== "email"),
          map(({ step }) => step === "code" || step === "two-factor"),
        )
        .subscribe(isAfterCode$.set),
  };
};
