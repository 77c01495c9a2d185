import type { Failure, FieldError } from "../kernel/failure.ts";

/** A failure as the user meets it: one sentence, and what belongs beside each field. */
export interface Problem {
  /** Empty when everything there is to say stands beside a field. */
  readonly sentence: string;
  readonly fields: readonly FieldError[];
  readonly failure: Failure;
}
