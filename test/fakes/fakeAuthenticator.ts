import { type Either, left, map, right } from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Authenticator, AuthenticatorProblem } from "../../core/ports/authenticator.ts";

/** An authenticator that answers what a test gives it; a browser without passkeys until then. */
export interface FakeAuthenticator {
  readonly authenticator: Authenticator;
  /** From now on there are passkeys, and each call gets this answer. */
  readonly answerWith: (answer: unknown) => void;
  readonly failWith: (problem: AuthenticatorProblem) => void;
}

export const createFakeAuthenticator = (): FakeAuthenticator => {
  let answer: Either<AuthenticatorProblem, unknown> | null = null;
  const answered = async (): Promise<Either<AuthenticatorProblem, unknown>> => answer ?? left("unavailable");
  return {
    authenticator: {
      isSupported: () => answer !== null,
      load: async () =>
        right({
          offersInField: async () => false,
          make: () => answered,
          use: () => async () =>
            pipe(
              await answered(),
              map((signed: unknown) => ({ signed, secret: null })),
            ),
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
