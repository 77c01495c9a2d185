import * as E from "fp-ts/lib/Either.js";
import { type Failure, unreadable } from "../kernel/failure.ts";
import { type LoginAnswer, planSelectionRequired, type SignedIn } from "./sessionEndpoints.ts";

/** What a right code leads to (A4). `tempToken` proves the step just taken. */
export type SignInOutcome =
  | { readonly kind: "signed-in"; readonly signedIn: SignedIn }
  | { readonly kind: "two-factor"; readonly tempToken: string }
  | { readonly kind: "plan"; readonly tempToken: string };

/** Tells which of its forms the answer has; `unreadable` when it has none (SI9). */
export const outcomeOf = (answer: LoginAnswer): E.Either<Failure, SignInOutcome> => {
  const { token, user, status, requires2FA, tempToken } = answer;
  if (token && user) return E.right({ kind: "signed-in", signedIn: { token, user } });
  if (status === planSelectionRequired) return E.right({ kind: "plan", tempToken: tempToken ?? "" });
  if (requires2FA || tempToken) return E.right({ kind: "two-factor", tempToken: tempToken ?? "" });
  return E.left(unreadable("sign-in", ["neither a session nor a next step"]));
};
