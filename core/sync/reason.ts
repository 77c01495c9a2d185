import type { Failure } from "../kernel/failure.ts";
import { sentenceFor } from "../sentences/sentenceFor.ts";

/**
 * Why rules were not saved, in a sentence that stands behind "Failed to sync rules: ". Nobody shows the fields here that
 * a refusal may name, so its message counts in any case.
 */
export const reasonOf = (failure: Failure): string => {
  if (failure.kind === "unavailable") return failure.detail;
  if (failure.kind === "refused" && failure.status < 500 && failure.message) return failure.message;
  return sentenceFor("updateMaskRules", failure);
};
