import type { State } from "../kernel/state.ts";

/** Whether the device believes it has a network. */
export interface Connectivity {
  readonly online$: State<boolean>;
}
