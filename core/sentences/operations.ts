/** What the product was doing when something went wrong. */
export type Operation =
  | "requestCode"
  | "resendCode"
  | "verifyCode"
  | "verifyTwoFactor"
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
  | "getMaskStatistics"
  | "updateMaskRules"
  | "copyAddress"
  | "listNotifications"
  | "readNotification"
  | "removeNotification";

/** What is said when the server gave no sentence of its own. */
export interface Fallbacks {
  /** In the form or on the page. */
  readonly here?: string;
  /** In the toast, where the catalogue words it differently. */
  readonly toast?: string;
  /** When an answer came that cannot be read. */
  readonly unreadable?: string;
  /** When no answer came, where the catalogue has more to say than the general sentence. */
  readonly unreached?: string;
  /** When the server said no, where the catalogue says that with the status behind it. */
  readonly refused?: string;
}

const invalidLogin = "Invalid login response";
const noMasks = "Failed to get email masks";

/** The error catalogue by operation (A8, B8: SI5, SI9, SI12, SI13, MA8, MA9). */
export const fallbacks: Readonly<Record<Operation, Fallbacks>> = {
  requestCode: { here: "Failed to send verification code" },
  resendCode: { here: "Failed to resend verification code" },
  verifyCode: { here: "Invalid verification code", unreadable: invalidLogin },
  verifyTwoFactor: { here: "Invalid 2FA code", unreadable: invalidLogin },
  signUp: { unreadable: invalidLogin },
  choosePaidPlan: { here: "Payment is not set up on this server. Choose the Free plan to continue." },
  keepSession: { here: "Login failed. Allow this site to keep data in your browser, then try again." },
  refreshSession: {
    here: "Token refresh failed after max attempts",
    unreadable: "Invalid response from token refresh endpoint",
    refused: "Token refresh failed with status",
  },
  validateSession: { here: "Invalid or expired token" },
  checkUserExists: { here: "Failed to check if user exists" },
  getAccount: { here: "Failed to get account data" },
  listMasks: { here: noMasks, unreached: noMasks },
  getMask: { here: "Failed to get email mask" },
  createMask: { here: "Failed to create email mask", toast: "Failed to create mask" },
  editMask: { here: "Failed to update email mask", toast: "Failed to update mask" },
  askAgain: { here: "Failed to send the confirmation mail" },
  activateMask: { here: "Failed to activate mask" },
  deactivateMask: { here: "Failed to deactivate mask" },
  setMaskStatus: { here: "Failed to update mask status" },
  removeMask: { here: "Failed to delete email mask", toast: "Failed to delete mask" },
  getMaskStatistics: { here: "Failed to get mask statistics" },
  updateMaskRules: { here: "Failed to update mask rules" },
  copyAddress: { here: "Failed to copy to clipboard" },
  listNotifications: { here: "Failed to load notifications" },
  readNotification: { here: "Failed to mark as read" },
  removeNotification: { here: "Failed to delete notification" },
};
