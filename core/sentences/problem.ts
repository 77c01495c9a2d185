import { type Failure, type FieldError, fieldErrors } from "../kernel/failure.ts";
import type { Fallbacks, Operation } from "./operations.ts";
import { sentenceFor } from "./sentenceFor.ts";

/** A failure as the user meets it: one sentence, and what belongs beside each field. */
export interface Problem {
  /** Empty when everything there is to say stands beside a field. */
  readonly sentence: string;
  readonly fields: readonly FieldError[];
  readonly failure: Failure;
}

/** A failure of an operation, put into words. */
export const problemOf =
  (operation: Operation | Fallbacks) =>
  (failure: Failure): Problem => ({
    sentence: sentenceFor(operation, failure),
    fields: fieldErrors(failure),
    failure,
  });
