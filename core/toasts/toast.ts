export type ToastKind = "success" | "info" | "warning" | "error";

/** A sentence that shows for a while (SH3). */
export interface Toast {
  readonly id: string;
  readonly kind: ToastKind;
  readonly text: string;
  /** How often it was said while it stood here. */
  readonly count: number;
}

/** Shows a sentence for a while. */
export type ShowToast = (kind: ToastKind, text: string) => void;

/** A toast closes by itself after this long (A9). */
export const toastForMs = 5_000;
