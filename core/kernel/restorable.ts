import type { SchedulerLike, Subscription } from "rxjs";
import { makeState, type State } from "./state.ts";

/** What was let go a moment ago and can still be taken back. */
export interface Restorable<K> {
  readonly keys$: State<ReadonlySet<K>>;
  /** Can be taken back for the whole time from now on; then it is let go for good, and `over` hears of it. */
  readonly hold: (key: K, over?: () => void) => void;
  /** Cannot be taken back any more. Answers whether it could until now; `over` hears nothing. */
  readonly release: (key: K) => boolean;
  /** The same for all. */
  readonly clear: () => void;
}

export const makeRestorable = <K>(scheduler: SchedulerLike, forMs: number): Restorable<K> => {
  const keys$ = makeState<ReadonlySet<K>>(new Set());
  const waiting = new Map<K, Subscription>();
  const show = (): void => keys$.set(new Set(waiting.keys()));
  const release = (key: K): boolean => {
    waiting.get(key)?.unsubscribe();
    const was = waiting.delete(key);
    if (was) show();
    return was;
  };
  return {
    keys$,
    hold: (key, over = () => {}) => {
      release(key);
      const letGo = (): void => {
        release(key);
        over();
      };
      waiting.set(key, scheduler.schedule(letGo, forMs));
      show();
    },
    release,
    clear: () => {
      for (const key of [...waiting.keys()]) release(key);
    },
  };
};
