import { type SchedulerLike, Subscription } from "rxjs";
import { makeState, type State } from "./state.ts";

/** Something that is true for a while and then is null again. */
export interface Transient<A> {
  readonly state$: State<A | null>;
  /** Holds the value, for the whole time from now on; null ends it at once. */
  readonly set: (value: A | null) => void;
}

export const makeTransient = <A>(scheduler: SchedulerLike, forMs: number): Transient<A> => {
  const state$ = makeState<A | null>(null);
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
