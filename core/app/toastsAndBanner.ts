import {
  combineLatest,
  distinctUntilChanged,
  map,
  NEVER,
  type Subscription,
  switchMap,
  tap,
  timer,
} from "rxjs";
import { createState, type State } from "../kernel/state.ts";
import { actionToastForMs, findShownToast, type ShowToast, type Toast, toastForMs } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";

/** The toasts: the one that is shown (`findShownToast`), and those that wait. */
export interface Toasts {
  /** All toasts, the oldest first. */
  readonly list$: State<readonly Toast[]>;
  readonly close: (id: string) => void;
  /**
   * Shows a toast for 5 s, one with an action for 10 s. Its time runs only while it is the one that is shown, and starts
   * again when it is shown again. A message without an action that has not closed yet is not repeated: its counter rises,
   * and its 5 s restart.
   */
  readonly show: ShowToast;
  /** Keeps the shown toast open while true; afterwards it stays for its whole time again. */
  readonly keepOpen: (isKeptOpen: boolean) => void;
  /** Closes the toasts with one of these texts, because the user reads them elsewhere. */
  readonly withdraw: (...texts: readonly string[]) => void;
}

/** The operations on toasts that only core itself uses. */
export interface ToastsControl extends Toasts {
  /** Shows a toast; returns false and shows nothing while there is one with the same text. */
  readonly showOnce: (...args: Parameters<ShowToast>) => boolean;
  /** Closes all toasts but those with the text `except`. */
  readonly clear: (except: string) => void;
  readonly start: () => Subscription;
}

/** Creates the toasts; the shown one closes by itself after `start()`. */
export const createToasts = (clock: Clock): ToastsControl => {
  const list$ = createState<readonly Toast[]>([]);
  const isKeptOpen$ = createState(false);
  let count = 0;
  const close = (id: string): void => {
    list$.update((list) => list.filter((toast) => toast.id !== id));
  };
  const show: ShowToast = (kind, text, action) => {
    if (text === "") return;
    const same =
      action === undefined
        ? list$.value.find((toast) => toast.kind === kind && toast.text === text && !toast.action)
        : undefined;
    if (same === undefined) count += 1;
    const toast: Toast = same
      ? { ...same, count: same.count + 1 }
      : { id: `toast-${count}`, kind, text, count: 1, ...(action && { action }) };
    list$.update((list) => [...list.filter(({ id }) => id !== toast.id), toast]);
  };
  const closeInTime$ = combineLatest([
    list$.pipe(map(findShownToast), distinctUntilChanged()),
    isKeptOpen$,
  ]).pipe(
    switchMap(([shown, isKeptOpen]) =>
      shown === undefined || isKeptOpen
        ? NEVER
        : timer(shown.action === undefined ? toastForMs : actionToastForMs, clock.scheduler).pipe(
            tap(() => close(shown.id)),
          ),
    ),
  );
  return {
    list$,
    close,
    show,
    showOnce: (kind, text) => {
      const isShown = list$.value.some((toast) => toast.text === text);
      if (!isShown) show(kind, text);
      return !isShown;
    },
    keepOpen: isKeptOpen$.set,
    withdraw: (...texts) => {
      for (const { id, text } of list$.value) if (texts.includes(text)) close(id);
    },
    clear: (except) => {
      for (const { id, text } of list$.value) if (text !== except) close(id);
    },
    start: () => closeInTime$.subscribe(),
  };
};

/** A message above the page that stays until it is dismissed. */
export interface Banner {
  readonly message$: State<string | null>;
  readonly dismiss: () => void;
  readonly show: (text: string) => void;
  /** Removes the message if it is the one shown; another one stays. */
  readonly withdraw: (text: string) => void;
}

/** Creates an empty banner. */
export const createBanner = (): Banner => {
  const message$ = createState<string | null>(null);
  return {
    message$,
    dismiss: () => message$.set(null),
    show: message$.set,
    withdraw: (text) => message$.update((shown) => (shown === text ? null : shown)),
  };
};
