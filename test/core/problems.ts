import type { Either } from "fp-ts/lib/Either.js";
import type { Problem } from "../../core/api/errorMessages.ts";

/** The failure of a result that must be one. */
export const problemFrom = (result: Either<Problem, unknown>): Problem => {
  if (result._tag === "Right") throw new Error(`it succeeded: ${JSON.stringify(result.right)}`);
  return result.left;
};

/** The value of a result that must be a success. */
export const valueFrom = <A>(result: Either<Problem, A>): A => {
  if (result._tag === "Left") throw new Error(`it failed: ${JSON.stringify(result.left)}`);
  return result.right;
};
