import type { Observable } from "rxjs";
import type { State } from "../kernel/state.ts";

/** Coordinates the open tabs of one browser. */
export interface Tabs {
  /**
   * Runs `work` under a lock that all tabs share and returns its result. A tab that has waited `maxWaitMs` for the same
   * holder takes the lock over, because the holder may be suspended. `hadToWait` is true when another tab held the lock
   * first. Where the environment has no locks, `name` is the key of a lease in the shared storage.
   */
  readonly runExclusive: <A>(
    name: string,
    limits: { readonly maxWaitMs: number },
    work: (hadToWait: boolean) => Promise<A>,
  ) => Promise<A>;
  /** Sends a message to the other tabs that listen to this channel. */
  readonly broadcast: (channel: string, text: string) => void;
  /** Emits the messages that other tabs send on this channel. */
  readonly messages: (channel: string) => Observable<string>;
  readonly visible$: State<boolean>;
}
