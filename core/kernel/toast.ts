export type ToastKind = "success" | "info" | "warning" | "error" | "security";

/** The action that a toast offers besides closing it, such as "Undo". */
export interface ToastAction {
  readonly label: string;
  /** Is called once; the toast closes with it. */
  readonly run: () => void;
}

/** The content of a toast. */
export interface ToastContent {
  readonly kind: ToastKind;
  readonly text: string;
  readonly action?: ToastAction;
}

/** A message that is shown for a limited time. */
export interface Toast extends ToastContent {
  readonly id: string;
  /** The number of times that the message was shown while the toast was visible. */
  readonly count: number;
}

const isPressing = ({ kind }: Toast): boolean => kind === "error" || kind === "security";

/**
 * Finds the one toast that is shown; the others wait until it closes. It is the newest failure or security message, and
 * the newest of all where there is none.
 */
export const findShownToast = (toasts: readonly Toast[]): Toast | undefined =>
  toasts.findLast(isPressing) ?? toasts.at(-1);

/** Shows a message for a limited time. */
export type ShowToast = (kind: ToastKind, text: string, action?: ToastAction) => void;

/** The time for which a toast is visible, in milliseconds. */
export const toastForMs = 5_000;

/** The time for which a toast with an action is visible, in milliseconds. */
export const actionToastForMs = 10_000;
