import type { State } from "../kernel/state.ts";

/** True while the device reports a network connection. */
export interface Connectivity {
  readonly online$: State<boolean>;
}
