import { type SchedulerLike, Subscription } from "rxjs";
import { createState, type State } from "./state.ts";

/** A value that becomes null again after a fixed time. */
export interface Transient<A> {
  readonly state$: State<A | null>;
  /** Sets the value and restarts the time; null clears the value immediately. */
  readonly set: (value: A | null) => void;
}

/** Creates a state that is null and keeps a value for `forMs`. */
export const createTransient = <A>(scheduler: SchedulerLike, forMs: number): Transient<A> => {
  const state$ = createState<A | null>(null);
  let ending = Subscription.EMPTY;
  return {
    state$,
    set: (value) => {
      ending.unsubscribe();
      state$.set(value);
      if (value !== null) ending = scheduler.schedule(() => state$.set(null), forMs);
    },
  };
};

/** A set of removed keys, each of which can be restored for a limited time. */
export interface Restorable<K> {
  readonly keys$: State<ReadonlySet<K>>;
  /** Adds a key or restarts its time; `onExpired` is called when the time is over, before the key disappears. */
  readonly add: (key: K, onExpired?: () => void) => void;
  /** Removes a key without calling `onExpired`. Returns whether the key was there. */
  readonly remove: (key: K) => boolean;
  /** Removes all keys without calling `onExpired`. */
  readonly clear: () => void;
}

/** Creates an empty set whose keys expire after `forMs`. */
export const createRestorable = <K>(scheduler: SchedulerLike, forMs: number): Restorable<K> => {
  const keys$ = createState<ReadonlySet<K>>(new Set());
  const timers = new Map<K, Subscription>();
  const publish = (): void => keys$.set(new Set(timers.keys()));
  const remove = (key: K): boolean => {
    timers.get(key)?.unsubscribe();
    const existed = timers.delete(key);
    if (existed) publish();
    return existed;
  };
  return {
    keys$,
    add: (key, onExpired = () => {}) => {
      remove(key);
      const expire = (): void => {
        timers.delete(key);
        onExpired();
        publish();
      };
      timers.set(key, scheduler.schedule(expire, forMs));
      publish();
    },
    remove,
    clear: () => {
      for (const key of [...timers.keys()]) remove(key);
    },
  };
};
