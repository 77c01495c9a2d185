import { filter, from, map, merge, mergeMap, Subject, type Subscription, takeUntil, tap, timer } from "rxjs";
import { makeState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { type ShowToast, type Toast, toastForMs } from "./toast.ts";

/** What has just happened, a sentence each (SH3). */
export interface Toasts {
  /** The oldest first. */
  readonly list$: State<readonly Toast[]>;
  readonly close: (id: string) => void;
  /** Closes by itself after 5 s. What still stands there is not said twice: it counts, and stays 5 s more. */
  readonly show: ShowToast;
}

export interface ToastsControl extends Toasts {
  /** Shows nothing, and answers false, while the very same sentence stands there. */
  readonly showOnce: (...said: Parameters<ShowToast>) => boolean;
  /** Closes every toast but those that say `kept`. */
  readonly clear: (kept: string) => void;
  readonly start: () => Subscription;
}

export const makeToasts = (clock: Clock): ToastsControl => {
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
    const same = list$.value.find((toast) => toast.kind === kind && toast.text === text);
    if (same === undefined) count += 1;
    const toast: Toast = same
      ? { ...same, count: same.count + 1 }
      : { id: `toast-${count}`, kind, text, count: 1 };
    list$.update((list) => [...list.filter(({ id }) => id !== toast.id), toast]);
    shown$.next(toast);
  };
  const due = ({ id }: Toast) =>
    timer(toastForMs, clock.scheduler).pipe(
      takeUntil(merge(closed$, shown$.pipe(map((again) => again.id))).pipe(filter((other) => other === id))),
      tap(() => close(id)),
    );
  return {
    list$,
    close,
    show,
    showOnce: (kind, text) => {
      const stands = list$.value.some((toast) => toast.text === text);
      if (!stands) show(kind, text);
      return !stands;
    },
    clear: (kept) => {
      for (const { id, text } of list$.value) if (text !== kept) close(id);
    },
    start: () => merge(from(list$.value), shown$).pipe(mergeMap(due)).subscribe(),
  };
};
