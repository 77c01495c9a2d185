import * as t from "io-ts";
import { ageMs } from "../kernel/age.ts";
import type { Clock } from "../ports/clock.ts";
import { json, type Store } from "./store.ts";
import { lifetimesMs, type StoredKey } from "./storedKeys.ts";

export interface Cached<A> {
  readonly value: A;
  /** True if the value is younger than its key's lifetime. */
  readonly isFresh: boolean;
  /** The time at which it was written, in milliseconds since 1970. */
  readonly savedAt: number;
}

/** A stored copy of a server response that belongs to one user. */
export interface Cache<A> {
  /** Returns the value stored for this user; null when there is none or it belongs to another user. */
  readonly read: (owner: string) => Cached<A> | null;
  readonly write: (owner: string, value: A) => void;
}

/** Creates a cache in one storage item; a value that cannot be stored removes the older one. */
export const createCache = <A>(
  store: Store,
  clock: Clock,
  key: StoredKey,
  codec: t.Type<A, unknown, unknown>,
): Cache<A> => {
  const stored = store.get(key, json(t.type({ owner: t.string, savedAt: t.number, value: codec })));
  return {
    read: (owner) => {
      const entry = stored.read();
      if (entry === null || entry.owner !== owner) return null;
      const { value, savedAt } = entry;
      return {
        value,
        savedAt,
        isFresh: ageMs(savedAt, clock.now()) < (key.freshForMs ?? lifetimesMs.short),
      };
    },
    write: (owner, value) => {
      if (!stored.write({ owner, savedAt: clock.now(), value })) stored.remove();
    },
  };
};
