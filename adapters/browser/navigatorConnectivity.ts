import { fromEvent, merge } from "rxjs";
import { watchState } from "../../core/kernel/state.ts";
import type { Connectivity } from "../../core/ports/connectivity.ts";

/** What the browser believes about its network. */
export const makeNavigatorConnectivity = (window: Window): Connectivity => ({
  online$: watchState(
    () => window.navigator.onLine,
    merge(fromEvent(window, "online"), fromEvent(window, "offline")),
  ),
});
