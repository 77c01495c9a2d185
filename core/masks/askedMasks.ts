import { type SchedulerLike, Subscription } from "rxjs";
import { makeState, type State } from "../kernel/state.ts";
import { everyMask, type MaskQuery } from "./maskQuery.ts";

/** How long typing must rest before the list follows the search (MA1). */
const searchRestMs = 300;

export interface AskedMasks {
  /** As typed and clicked. */
  readonly query$: State<MaskQuery>;
  /** As the list answers it: a search comes 300 ms after its last letter. */
  readonly asked$: State<MaskQuery>;
  readonly search: (text: string) => void;
  /** Asks for something else at once. */
  readonly ask: (change: Partial<MaskQuery>) => void;
}

export const makeAskedMasks = (scheduler: SchedulerLike): AskedMasks => {
  const query$ = makeState(everyMask);
  const asked$ = makeState(everyMask);
  let resting = Subscription.EMPTY;
  const follow = (): void => {
    resting.unsubscribe();
    asked$.set(query$.value);
  };
  return {
    query$,
    asked$,
    search: (search) => {
      resting.unsubscribe();
      query$.update((query) => ({ ...query, search, page: 1 }));
      resting = scheduler.schedule(follow, searchRestMs);
    },
    ask: (change) => {
      query$.update((query) => ({ ...query, ...change }));
      follow();
    },
  };
};
