import { resendAfterMs, secondsUntil } from "./resend.ts";
import type { SignInOutcome } from "./signInAnswer.ts";

/** Where somebody stands in the one form (SI1). */
export type SignInStep =
  | { readonly step: "email"; readonly email: string }
  | {
      readonly step: "code";
      readonly email: string;
      readonly resendInSeconds: number;
      /** The code that came last has done its work: only another one helps. */
      readonly isCodeUsed?: true;
    }
  | { readonly step: "two-factor"; readonly email: string }
  | { readonly step: "plan"; readonly email: string };

/** The step, with what the next one needs. `resendAt` in milliseconds since 1970. */
export interface SignInState {
  readonly at: SignInStep;
  readonly resendAt: number;
  readonly tempToken: string;
}

export type SignInEvent =
  | { readonly kind: "code-sent"; readonly email: string; readonly now: number }
  | { readonly kind: "ticked"; readonly now: number }
  | { readonly kind: "answered"; readonly outcome: SignInOutcome }
  | { readonly kind: "plan-cancelled"; readonly now: number }
  | { readonly kind: "code-at-hand"; readonly email: string; readonly now: number }
  | { readonly kind: "different-email" };

export const firstStep: SignInState = { at: { step: "email", email: "" }, resendAt: 0, tempToken: "" };

/** The code entry; its countdown goes on from where it stands. */
const codeEntry = (email: string, resendAt: number, now: number): SignInState => ({
  at: { step: "code", email, resendInSeconds: secondsUntil(resendAt, now) },
  resendAt,
  tempToken: "",
});

/** The code entry after its code was used up: another can be sent at once. */
const usedCodeEntry = (email: string, now: number): SignInState => ({
  at: { step: "code", email, resendInSeconds: 0, isCodeUsed: true },
  resendAt: now,
  tempToken: "",
});

const answered = (state: SignInState, outcome: SignInOutcome): SignInState => {
  if (outcome.kind === "signed-in") return firstStep;
  return { ...state, at: { step: outcome.kind, email: state.at.email }, tempToken: outcome.tempToken };
};

/** What follows on what, in the sign-in form. */
export const step = (state: SignInState, event: SignInEvent): SignInState => {
  const { at, resendAt } = state;
  switch (event.kind) {
    case "code-sent":
      return codeEntry(event.email, event.now + resendAfterMs, event.now);
    case "code-at-hand":
      return codeEntry(event.email, event.now, event.now);
    case "ticked":
      return at.step === "code" ? codeEntry(at.email, resendAt, event.now) : state;
    case "answered":
      return answered(state, event.outcome);
    case "plan-cancelled":
      return at.step === "plan" ? usedCodeEntry(at.email, event.now) : state;
    case "different-email":
      return { ...firstStep, at: { step: "email", email: at.email } };
  }
};
