import { filter, from, merge, mergeMap, Subject, type Subscription, takeUntil, tap, timer } from "rxjs";
import { makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { type Toast, type ToastKind, toastForMs } from "./toast.ts";

/** Shows a sentence for a while. */
export type ShowToast = (kind: ToastKind, text: string) => void;

/** What has just happened, a sentence each (SH3). */
export interface Toasts {
  /** The oldest first. */
  readonly list$: State<readonly Toast[]>;
  readonly close: (id: string) => void;
  /** Closes by itself after 5 s. */
  readonly show: ShowToast;
}

export const makeToasts = (clock: Clock): Toasts & { readonly start: () => Subscription } => {
  const list$ = makeState<readonly Toast[]>([]);
  const shown$ = new Subject<Toast>();
  const closed$ = new Subject<string>();
  let count = 0;
  const close = (id: string): void => {
    list$.update((list) => list.filter((toast) => toast.id !== id));
    closed$.next(id);
  };
  const show: ShowToast = (kind, text) => {
    if (text === "") return;
    count += 1;
    const toast: Toast = { id: `toast-${count}`, kind, text };
    list$.update((list) => [...list, toast]);
    shown$.next(toast);
  };
  const due = ({ id }: Toast) =>
    timer(toastForMs, clock.scheduler).pipe(
      takeUntil(closed$.pipe(filter((closed) => closed === id))),
      tap(() => close(id)),
    );
  return {
    list$,
    close,
    show,
    start: () => merge(from(list$.value), shown$).pipe(mergeMap(due)).subscribe(),
  };
};
