import { type Observable, type SchedulerLike, Subscription } from "rxjs";
import { createState, type State } from "./state.ts";

/** A part of the product whose code is fetched when it is first wanted: not wanted yet, on its way, not to be had, here. */
export type LateState<A> =
  | { readonly kind: "unwanted" | "fetching" | "missing" }
  | { readonly kind: "here"; readonly part: A };

export interface Late<A> {
  readonly state$: State<LateState<A>>;
  /** Tries at once to fetch what could not be had. */
  readonly retry: () => void;
  /** From now on the part is fetched when it is wanted, and runs. */
  readonly start: () => Subscription;
}

/** Makes of an import what fetches the code; a browser must be asked differently after a failure. */
export type FetchPart = <M>(load: () => Promise<M>) => () => Promise<M>;

interface Wish<M, A> {
  readonly wanted$: Observable<boolean>;
  readonly fetch: () => Promise<M>;
  /** Makes the part from its code; asked once. */
  readonly make: (module: M) => A;
  readonly scheduler: SchedulerLike;
  /** When this emits, what could not be had is tried again at once. */
  readonly again$?: Observable<unknown>;
}

/** Between two tries to fetch what could not be had. */
const retryEachMs = 5_000;

export const createLate = <M, A extends { readonly start: () => Subscription }>(
  wish: Wish<M, A>,
): Late<A> => {
  const state$ = createState<LateState<A>>({ kind: "unwanted" });
  let running = Subscription.EMPTY;
  let waiting = Subscription.EMPTY;

  const fetchNow = (): void => {
    const ours = running;
    const unlessStopped =
      <B>(then: (value: B) => void) =>
      (value: B): void => {
        if (!ours.closed) then(value);
      };
    const arrive = (module: M): void => {
      const part = wish.make(module);
      state$.set({ kind: "here", part });
      running.add(part.start());
    };
    const tryLater = (): void => {
      state$.set({ kind: "missing" });
      waiting = wish.scheduler.schedule(fetchNow, retryEachMs);
      running.add(waiting);
    };
    state$.set({ kind: "fetching" });
    wish.fetch().then(unlessStopped(arrive), unlessStopped(tryLater));
  };
  const stopped = (): void => {
    if (state$.value.kind !== "here") state$.set({ kind: "unwanted" });
  };
  const retry = (): void => {
    if (state$.value.kind !== "missing") return;
    waiting.unsubscribe();
    fetchNow();
  };
  return {
    state$,
    retry,
    start: () => {
      running = new Subscription(stopped);
      running.add(wish.again$?.subscribe(retry));
      const known = state$.value;
      if (known.kind === "here") running.add(known.part.start());
      else
        running.add(
          wish.wanted$.subscribe((wanted) => {
            if (wanted && state$.value.kind === "unwanted") fetchNow();
          }),
        );
      return running;
    },
  };
};
