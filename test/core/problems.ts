import type { Either } from "fp-ts/lib/Either.js";
import type { Problem } from "../../core/api/errorMessages.ts";

/** The problem that something must have ended in. */
export const problemFrom = (result: Either<Problem, unknown>): Problem => {
  if (result._tag === "Right") throw new Error(`it succeeded: ${JSON.stringify(result.right)}`);
  return result.left;
};

/** The value that something must have ended in. */
export const valueFrom = <A>(result: Either<Problem, A>): A => {
  if (result._tag === "Left") throw new Error(`it failed: ${JSON.stringify(result.left)}`);
  return result.right;
};
