import type { Either } from "fp-ts/lib/Either.js";
import type { Failure } from "../../core/kernel/failure.ts";

/** The value of a result that must be a success. */
export const problemlessly = <A>(result: Either<Failure, A>): A => {
  if (result._tag === "Left") throw new Error(`it failed: ${JSON.stringify(result.left)}`);
  return result.right;
};
