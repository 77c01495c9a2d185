import { minuteMs } from "../kernel/durations.ts";
import { type Failure, fieldErrors } from "../kernel/failure.ts";

/** For so long after a proof of who they are a user may change who gets in and where mail goes, in milliseconds. */
export const recentProofMs = 5 * minuteMs;

/** The field that the server's refusal names where a recent proof is missing. */
export const proofField = "proof";

/** True if the server wants to know again that it is the user, before it does what was asked. */
export const isProofMissing = (failure: Failure): boolean =>
  fieldErrors(failure).some(({ field }) => field === proofField);
