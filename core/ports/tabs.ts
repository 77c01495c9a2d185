import type { Observable } from "rxjs";
import type { State } from "../kernel/state.ts";

/** The tabs of one browser that show this product, as one of them sees the others. */
export interface Tabs {
  /**
   * Runs `work` while no other tab runs work of the same name, and answers what it answers. Whoever has waited
   * `waitAtMostMs` for the same tab takes the turn away from it: it may be asleep. `hadToWait` tells that another
   * tab's turn came first. Where the environment has no locks, `name` is the key of a lease in the shared storage.
   */
  readonly exclusively: <A>(
    name: string,
    limits: { readonly waitAtMostMs: number },
    work: (hadToWait: boolean) => Promise<A>,
  ) => Promise<A>;
  /** Says something to the other tabs that listen to this channel. */
  readonly broadcast: (channel: string, text: string) => void;
  /** What other tabs say on this channel from now on. */
  readonly heard: (channel: string) => Observable<string>;
  /** Whether somebody can see this tab. */
  readonly visible$: State<boolean>;
}
