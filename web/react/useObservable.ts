import { useCallback, useSyncExternalStore } from "react";
import type { State } from "../../core/kernel/state.ts";

/** The current value of a state; the component rerenders when it changes. */
export const useObservable = <A>(state: State<A>): A => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscription = state.subscribe(onChange);
      return () => subscription.unsubscribe();
    },
    [state],
  );
  return useSyncExternalStore(subscribe, () => state.value);
};
