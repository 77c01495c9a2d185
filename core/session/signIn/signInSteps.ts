import { resendAfterMs, secondsAfterTick, secondsUntil } from "../oneTimeCode.ts";
import type { SignInOutcome } from "./signInCalls.ts";
import type { NewPendingStep, PendingStep } from "./signInMemory.ts";

/** A step of the sign-in form. */
export type SignInStep =
  | { readonly step: "email"; readonly email: string }
  | {
      readonly step: "code";
      readonly email: string;
      readonly resendInSeconds: number;
      /** The last code is used up; the user needs another one. */
      readonly isCodeUsed?: true;
      /** The code connects the account with the provider that the user has come from. */
      readonly connects?: true | undefined;
    }
  | { readonly step: "two-factor"; readonly email: string }
  | {
      readonly step: "plan";
      readonly email: string;
      /** The server takes a new account only with an invitation. */
      readonly needsInvitation?: true;
    };

/** The current step and the data for the next one. `resendAt` is in milliseconds since 1970. */
export interface SignInState {
  readonly at: SignInStep;
  readonly resendAt: number;
  readonly tempToken: string;
}

export type SignInEvent =
  | {
      readonly kind: "code-sent";
      readonly email: string;
      readonly now: number;
      readonly connects?: true | undefined;
    }
  | { readonly kind: "ticked"; readonly now: number }
  | { readonly kind: "answered"; readonly outcome: SignInOutcome }
  | { readonly kind: "plan-cancelled"; readonly now: number }
  | { readonly kind: "code-at-hand"; readonly email: string; readonly now: number }
  | { readonly kind: "link-opened"; readonly email: string }
  | { readonly kind: "different-email" };

export const firstStep: SignInState = { at: { step: "email", email: "" }, resendAt: 0, tempToken: "" };

/** The code entry with the remaining seconds of its countdown. */
const codeStepAfter = (email: string, resendAt: number, now: number, connects?: true): SignInState => ({
  at: { step: "code", email, resendInSeconds: secondsUntil(resendAt, now), ...(connects && { connects }) },
  resendAt,
  tempToken: "",
});

/** The code entry after its code was used up; another one can be sent immediately. */
const usedCodeEntry = (email: string, now: number): SignInState => ({
  at: { step: "code", email, resendInSeconds: 0, isCodeUsed: true },
  resendAt: now,
  tempToken: "",
});

/** Returns the step after a valid code as a tab remembers it. */
export const pendingStepOf = (
  email: string,
  outcome: Exclude<SignInOutcome, { readonly kind: "signed-in" }>,
): NewPendingStep => {
  const { tempToken } = outcome;
  return outcome.kind === "two-factor"
    ? { step: "two-factor", email, tempToken }
    : { step: "plan", email, tempToken, needsInvitation: outcome.needsInvitation === true };
};

/** The state that a reload returns to. */
export const restoredStep = (pending: PendingStep | null, now: number): SignInState => {
  if (pending === null) return firstStep;
  const { email } = pending;
  if (pending.step === "code") return codeStepAfter(email, pending.since + resendAfterMs, now);
  const { tempToken } = pending;
  if (pending.step === "two-factor") return { ...firstStep, at: { step: "two-factor", email }, tempToken };
  const { needsInvitation } = pending;
  return {
    ...firstStep,
    at: { step: "plan", email, ...(needsInvitation && { needsInvitation }) },
    tempToken,
  };
};

const answered = (state: SignInState, outcome: SignInOutcome): SignInState => {
  if (outcome.kind === "signed-in") return firstStep;
  const { tempToken } = outcome;
  const { email } = state.at;
  if (outcome.kind === "plan")
    return {
      ...state,
      at: { step: "plan", email, ...(outcome.needsInvitation ? { needsInvitation: true } : {}) },
      tempToken,
    };
  return { ...state, at: { step: outcome.kind, email }, tempToken };
};

const connectsIn = (at: SignInStep): true | undefined => (at.step === "code" ? at.connects : undefined);

/** Returns the state of the sign-in form after an event. */
export const reduceSignIn = (state: SignInState, event: SignInEvent): SignInState => {
  const { at, resendAt } = state;
  switch (event.kind) {
    case "code-sent":
      return codeStepAfter(
        event.email,
        event.now + resendAfterMs,
        event.now,
        event.connects ?? connectsIn(at),
      );
    case "code-at-hand":
      return codeStepAfter(event.email, event.now, event.now);
    case "ticked":
      return at.step === "code"
        ? {
            ...state,
            at: { ...at, resendInSeconds: secondsAfterTick(at.resendInSeconds, resendAt, event.now) },
          }
        : state;
    case "answered":
      return answered(state, event.outcome);
    case "plan-cancelled":
      return at.step === "plan" ? usedCodeEntry(at.email, event.now) : state;
    case "link-opened":
      return { ...firstStep, at: { step: "email", email: event.email } };
    case "different-email":
      return { ...firstStep, at: { step: "email", email: at.email } };
  }
};
