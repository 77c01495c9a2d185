import * as t from "io-ts";
import type { Clock } from "../ports/clock.ts";
import { lifetimesMs } from "./lifetimes.ts";
import type { Store } from "./store.ts";
import { json } from "./storedCodecs.ts";
import type { StoredKey } from "./storedKeys.ts";

export interface Cached<A> {
  readonly value: A;
  /** Whether it is younger than its key's lifetime. */
  readonly fresh: boolean;
}

/** An answer kept for the next time, in the name of the user whom it was given to. */
export interface Cache<A> {
  /** What was kept for this user; null when there is nothing, or it is somebody else's (D45). */
  readonly read: (owner: string) => Cached<A> | null;
  readonly write: (owner: string, value: A) => void;
}

export const makeCache = <A>(
  store: Store,
  clock: Clock,
  key: StoredKey,
  codec: t.Type<A, unknown, unknown>,
): Cache<A> => {
  const stored = store.of(key, json(t.type({ owner: t.string, savedAt: t.number, value: codec })));
  return {
    read: (owner) => {
      const entry = stored.read();
      if (entry === null || entry.owner !== owner) return null;
      const age = clock.now() - entry.savedAt;
      return { value: entry.value, fresh: age >= 0 && age < (key.freshForMs ?? lifetimesMs.short) };
    },
    write: (owner, value) => {
      if (!stored.write({ owner, savedAt: clock.now(), value })) stored.remove();
    },
  };
};
