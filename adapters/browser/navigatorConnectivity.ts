import { fromEvent, merge } from "rxjs";
import { watchState } from "../../core/kernel/state.ts";
import type { Connectivity } from "../../core/ports/connectivity.ts";

/** Creates the connectivity port from the browser's online state, of a window or a worker. */
export const createNavigatorConnectivity = (
  window: EventTarget & { readonly navigator: Pick<Navigator, "onLine"> },
): Connectivity => ({
  online$: watchState(
    () => window.navigator.onLine,
    merge(fromEvent(window, "online"), fromEvent(window, "offline")),
  ),
});
