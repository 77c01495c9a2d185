import { useCallback, useSyncExternalStore } from "react";
import type { State } from "../../core/kernel/state.ts";

/** What a state holds now; the component is drawn again when it holds something else. */
export const useObservable = <A>(state: State<A>): A => {
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = state.subscribe(changed);
      return () => subscription.unsubscribe();
    },
    [state],
  );
  return useSyncExternalStore(subscribe, () => state.value);
};
