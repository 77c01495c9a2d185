export type ToastKind = "success" | "info" | "warning" | "error";

/** The content of a toast. */
export interface ToastContent {
  readonly kind: ToastKind;
  readonly text: string;
}

/** A message that is shown for a limited time. */
export interface Toast extends ToastContent {
  readonly id: string;
  /** How often the message was shown while the toast was visible. */
  readonly count: number;
}

/** Shows a message for a limited time. */
export type ShowToast = (kind: ToastKind, text: string) => void;

/** How long a toast is visible, in milliseconds. */
export const toastForMs = 5_000;
