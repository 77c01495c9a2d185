import { canceled, type Failure, refused, unavailable } from "../kernel/failure.ts";
import type { AuthenticatorProblem } from "../ports/authenticator.ts";

/** Converts the problem of an authenticator to a failure with its sentence; "cancelled" is one that nobody is told of. */
export const authenticatorFailure = (problem: AuthenticatorProblem): Failure => {
  switch (problem) {
    case "cancelled":
      return canceled;
    case "known":
      return refused(409, "This device has a passkey of your account already.");
    case "elsewhere":
      return refused(400, "Passkeys work only at the address that the operator has set. Open the app there.");
    case "unavailable":
      return unavailable("authenticator");
  }
};
