import {
  type Failure,
  type FieldError,
  fieldErrors,
  isUserNotified,
  type Refusal,
} from "../kernel/failure.ts";
import {
  connectionIssue,
  failureNotice,
  invalidSessionMessage,
  serverError,
  tooManyRequests,
} from "./failureNotices.ts";

/** The operations whose failures have messages of their own. */
export type Operation =
  | "requestCode"
  | "resendCode"
  | "verifyCode"
  | "verifyTwoFactor"
  | "openLink"
  | "signUp"
  | "choosePaidPlan"
  | "keepSession"
  | "refreshSession"
  | "validateSession"
  | "checkUserExists"
  | "getAccount"
  | "listMasks"
  | "getMask"
  | "createMask"
  | "editMask"
  | "askAgain"
  | "activateMask"
  | "deactivateMask"
  | "setMaskStatus"
  | "removeMask"
  | "restoreMask"
  | "getMaskStatistics"
  | "updateMaskRules"
  | "copyAddress"
  | "listNotifications"
  | "readNotification"
  | "removeNotification";

/** The messages of an operation for failures without a message from the server. */
export interface FallbackMessages {
  /** The message on the page or in a form. */
  readonly page?: string;
  /** The message in a toast, if it differs. */
  readonly toast?: string;
  readonly unreadable?: string;
  /** The message for a missing response, if it differs from the general one. */
  readonly unanswered?: string;
  /** The message for an error response; the status is appended to it. */
  readonly refused?: string;
}

const invalidLoginResponse = "Invalid login response";
const masksFailed = "Failed to get email masks";

/** The messages by operation, as the specification's error catalog lists them. */
const fallbackMessages: Readonly<Record<Operation, FallbackMessages>> = {
  requestCode: { page: "Failed to send verification code" },
  resendCode: { page: "Failed to resend verification code" },
  verifyCode: { page: "Invalid verification code", unreadable: invalidLoginResponse },
  verifyTwoFactor: { page: "Invalid 2FA code", unreadable: invalidLoginResponse },
  openLink: { page: "Login failed", unreadable: invalidLoginResponse },
  signUp: { unreadable: invalidLoginResponse },
  choosePaidPlan: { page: "Payment is not set up on this server. Choose the Free plan to continue." },
  keepSession: { page: "Login failed. Allow this site to keep data in your browser, then try again." },
  refreshSession: {
    page: "Token refresh failed after max attempts",
    unreadable: "Invalid response from token refresh endpoint",
    refused: "Token refresh failed with status",
  },
  validateSession: { page: invalidSessionMessage },
  checkUserExists: { page: "Failed to check if user exists" },
  getAccount: { page: "Failed to get account data" },
  listMasks: { page: masksFailed, unanswered: masksFailed },
  getMask: { page: "Failed to get email mask" },
  createMask: { page: "Failed to create email mask", toast: "Failed to create mask" },
  editMask: { page: "Failed to update email mask", toast: "Failed to update mask" },
  askAgain: { page: "Failed to send the confirmation email" },
  activateMask: { page: "Failed to activate mask" },
  deactivateMask: { page: "Failed to deactivate mask" },
  setMaskStatus: { page: "Failed to update mask status" },
  removeMask: { page: "Failed to delete email mask", toast: "Failed to delete mask" },
  restoreMask: { page: "Failed to restore mask" },
  getMaskStatistics: { page: "Failed to get mask statistics" },
  updateMaskRules: { page: "Failed to update mask rules" },
  copyAddress: { page: "Failed to copy to clipboard" },
  listNotifications: { page: "Failed to load notifications" },
  readNotification: { page: "Failed to mark as read" },
  removeNotification: { page: "Failed to delete notification" },
};

const unreadableResponse =
  "The server sent an answer that this app cannot read. Try again later, or refresh the page.";

const statusMessage = (status: number): string =>
  status === 401 ? "Authentication failed" : `Request failed with status ${status}`;

const refusalMessage = (refusal: Refusal, fallback: string | undefined): string => {
  const { status, message, errors } = refusal;
  if (status >= 500) return serverError(refusal);
  if (errors.some((error) => error.message === message)) return "";
  return message ?? (status === 429 ? tooManyRequests : (fallback ?? statusMessage(status)));
};

/**
 * Returns the message for a failure of an operation. The server's own message takes precedence over the fallbacks.
 * A feature that is loaded later passes the fallbacks of its operations itself.
 * Returns "" when there is nothing to show, when the field errors say everything, or when a toast has already shown the
 * failure and the message is for a toast.
 */
export const errorMessage = (
  operation: Operation | FallbackMessages,
  failure: Failure,
  place: "page" | "toast" = "page",
): string => {
  if (place === "toast" && isUserNotified(failure)) return "";
  const messages = typeof operation === "string" ? fallbackMessages[operation] : operation;
  const fallback = (place === "toast" ? messages.toast : undefined) ?? messages.page;
  switch (failure.kind) {
    case "network":
    case "timeout":
    case "cancelled":
      return messages.unanswered ?? connectionIssue;
    case "refused":
      return messages.refused === undefined
        ? refusalMessage(failure, fallback)
        : `${messages.refused}: ${failure.status}`;
    case "unreadable":
      return messages.unreadable ?? fallback ?? unreadableResponse;
    case "unavailable":
      return fallback ?? unreadableResponse;
    case "invalid":
    case "busy":
      return "";
  }
};

/** A failure as the user sees it: one message and the errors of single fields. */
export interface Problem {
  /** Empty when the field errors say everything. */
  readonly message: string;
  readonly fields: readonly FieldError[];
  readonly failure: Failure;
  /** The text of the toast about the failure, if one is shown; a form that shows the message withdraws the toast. */
  readonly toast?: string;
}

/** The message of a shell that does not ignore repetitions, as forms do (SI7). */
const tooQuick = "This came too soon after the last request. Try again in a moment.";

const toastOf = (operation: Operation | FallbackMessages, failure: Failure): string =>
  isUserNotified(failure) ? failureNotice(failure) : errorMessage(operation, failure, "toast");

/** Converts a failure of an operation to a problem. */
export const problemOf =
  (operation: Operation | FallbackMessages) =>
  (failure: Failure): Problem => ({
    message: failure.kind === "busy" ? tooQuick : errorMessage(operation, failure),
    fields: fieldErrors(failure),
    failure,
    toast: toastOf(operation, failure),
  });

/** The message for an app that could not start. */
export const startFailureMessage = "Failed to initialize application. Please refresh the page.";
