export type ToastKind = "success" | "info" | "warning" | "error";

/** A message that is shown for a limited time. */
export interface Toast {
  readonly id: string;
  readonly kind: ToastKind;
  readonly text: string;
  /** How often the message was shown while the toast was visible. */
  readonly count: number;
}

/** Shows a message for a limited time. */
export type ShowToast = (kind: ToastKind, text: string) => void;

/** How long a toast is visible, in milliseconds. */
export const toastForMs = 5_000;
