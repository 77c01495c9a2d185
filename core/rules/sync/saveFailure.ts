import { errorMessage, type FallbackMessages, type Operation } from "../../api/errorMessages.ts";
import { type Failure, isUnanswered } from "../../kernel/failure.ts";

const networkErrorPattern = /network error|failed to fetch/i;

/** True if the message names a network error or the browser reports that it is offline (SY1). */
export const isOfflineMessage = (message: string, online: boolean): boolean =>
  !online || networkErrorPattern.test(message);

const getDetail = (failure: Failure): string => {
  if (failure.kind === "unavailable") return failure.detail;
  return failure.kind === "refused" ? (failure.message ?? "") : "";
};

/** True if the server did not answer, so that the change is stored here and sent later (SY1). */
export const isOffline = (failure: Failure, online: boolean): boolean =>
  isUnanswered(failure) || isOfflineMessage(getDetail(failure), online);

/** Returns the reason of a failure, after a sentence that says what has failed; includes field errors, which no form shows. */
const failureReason =
  (operation: Operation | FallbackMessages) =>
  (failure: Failure): string => {
    if (failure.kind === "unavailable") return failure.detail;
    if (failure.kind === "refused" && failure.message) return failure.message;
    return failure.kind === "refused" && failure.status >= 500
      ? "Server error"
      : errorMessage(operation, failure);
  };

/** Returns why rules were not synced, which also stands alone. */
export const syncFailureReason = failureReason("updateMaskRules");

/** Returns the reason after a sentence such as "Failed to create rule: "; the status when the server gives none. */
export const reasonAfterSentence = failureReason({});
