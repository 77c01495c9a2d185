import type * as t from "io-ts";
import {
  EMPTY,
  filter,
  type Observable,
  Subscription,
  skipWhile,
  switchMap,
  take,
  takeUntil,
  timer,
} from "rxjs";
import { emailsOf } from "../kernel/owner.ts";
import { createResource, type Resource, type ResourceOptions } from "../kernel/resource.ts";
import { combineState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import { createCache } from "./cache.ts";
import type { Store } from "./store.ts";
import type { StoredKey } from "./storedKeys.ts";

/** The server cannot be asked, so what is shown may have changed there. */
export interface Outdated {
  /** When the server last confirmed what is shown, in milliseconds since 1970; null when that was not stored. */
  readonly asOf: number | null;
}

/** A resource whose data is stored for its owner and shown without a connection. */
export interface SavedResource<A> extends Resource<A> {
  /** null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  /** Follows the signed-in user, and loads what failed to load once the connection is back. */
  readonly follow: (user$: Observable<{ readonly email: string } | null>) => Subscription;
}

interface Deps<A> extends Omit<ResourceOptions<A>, "cache" | "showsOldCache"> {
  readonly store: Store;
  readonly clock: Clock;
  readonly online$: State<boolean>;
  readonly key: StoredKey;
  readonly codec: t.Type<NonNullable<A>, unknown, unknown>;
}

/** Within this time after the connection is back, what was asked without it may fail. */
const lateFailureMs = 10_000;

/** Creates a resource without an owner; its data is stored under `key`, and data of any age is shown while it loads. */
export const createSavedResource = <A>({
  store,
  clock,
  online$,
  key,
  codec,
  ...options
}: Deps<A>): SavedResource<A> => {
  const cache = createCache(store, clock, key, codec);
  const resource = createResource<A>({ ...options, cache, showsOldCache: true });
  const { state$, owner } = resource;
  const failedLoad$ = state$.pipe(
    filter(({ status }) => status === "stale" || status === "failed"),
    take(1),
    takeUntil(timer(lateFailureMs, clock.scheduler)),
  );
  return {
    ...resource,
    outdated$: combineState([state$, online$], ({ status }, online) => {
      if (online && status !== "stale") return null;
      return { asOf: cache.read(owner.current() ?? "")?.savedAt ?? null };
    }),
    follow: (user$) => {
      const running = new Subscription();
      running.add(emailsOf(user$).subscribe(resource.setOwner));
      running.add(
        online$
          .pipe(
            skipWhile((online) => online),
            switchMap((online) => (online ? failedLoad$ : EMPTY)),
          )
          .subscribe(() => startTask(resource.load)),
      );
      return running;
    },
  };
};
