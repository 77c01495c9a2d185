import type * as t from "io-ts";
import { map, type Observable, Subscription } from "rxjs";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { emailsOf } from "../kernel/owner.ts";
import { isFetchFailed, Resource, type ResourceOptions } from "../kernel/resource.ts";
import { combineState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import { createCache } from "./cache.ts";
import type { Store } from "./store.ts";
import type { StoredKey } from "./storedKeys.ts";

/** The server cannot be asked, so what is shown may have changed there. */
export interface Outdated {
  /** True if there is a connection, and so the server has failed to answer. */
  readonly isOnline: boolean;
  /** The time at which the server last confirmed what is shown, in milliseconds since 1970; null when that was not stored. */
  readonly asOf: number | null;
}

export interface SavedResourceOptions<A> extends Omit<ResourceOptions<A>, "cache" | "showsOldCache"> {
  readonly store: Store;
  readonly clock: Clock;
  readonly online$: State<boolean>;
  readonly key: StoredKey;
  readonly codec: t.Type<NonNullable<A>, unknown, unknown>;
}

/** A resource whose data is stored under `key` for its owner; data of any age is shown while it loads. */
export class SavedResource<A> extends Resource<A> {
  /** null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  readonly #clock: Clock;
  readonly #online$: State<boolean>;

  constructor({ store, clock, online$, key, codec, ...options }: SavedResourceOptions<A>) {
    const cache = createCache(store, clock, key, codec);
    super({ ...options, cache, showsOldCache: true });
    this.#clock = clock;
    this.#online$ = online$;
    this.outdated$ = combineState([this.state$, online$], ({ status }, online) => {
      if (online && status !== "stale") return null;
      return { isOnline: online, asOf: cache.read(this.owner.current() ?? "")?.savedAt ?? null };
    });
  }

  /** Follows the signed-in user, and loads what failed to load once the connection is back. */
  follow(user$: Observable<{ readonly email: string } | null>): Subscription {
    const isFailed$ = this.state$.pipe(map(isFetchFailed));
    const running = new Subscription();
    running.add(emailsOf(user$).subscribe((email) => this.setOwner(email)));
    running.add(
      failedBackOnline(this.#online$, isFailed$, this.#clock.scheduler).subscribe(() => startTask(this.load)),
    );
    return running;
  }
}
