import { fromEvent, merge } from "rxjs";
import { watchState } from "../../core/kernel/state.ts";
import type { Connectivity } from "../../core/ports/connectivity.ts";

/** Creates the connectivity port from the browser's online state. */
export const createNavigatorConnectivity = (window: Window): Connectivity => ({
  online$: watchState(
    () => window.navigator.onLine,
    merge(fromEvent(window, "online"), fromEvent(window, "offline")),
  ),
});
