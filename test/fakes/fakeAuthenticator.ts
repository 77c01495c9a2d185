import { left, right } from "fp-ts/lib/Either.js";
import type { Authenticator, AuthenticatorProblem } from "../../core/ports/authenticator.ts";

/** An authenticator that answers what a test gives it; a browser without passkeys until then. */
export interface FakeAuthenticator {
  readonly authenticator: Authenticator;
  /** From now on there are passkeys, and each call gets this answer. */
  readonly answerWith: (answer: unknown) => void;
  readonly failWith: (problem: AuthenticatorProblem) => void;
}

export const createFakeAuthenticator = (): FakeAuthenticator => {
  let answer: ReturnType<typeof right<unknown>> | ReturnType<typeof left<AuthenticatorProblem>> | null = null;
  const answered = async () => answer ?? left<AuthenticatorProblem>("unavailable");
  return {
    authenticator: {
      isSupported: () => answer !== null,
      load: async () =>
        right({
          offersInField: async () => false,
          make: () => answered,
          use: () => answered,
          cancel: () => {},
        }),
    },
    answerWith: (given) => {
      answer = right(given);
    },
    failWith: (problem) => {
      answer = left(problem);
    },
  };
};
