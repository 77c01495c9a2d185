import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import type { Failure } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import { json, type Store } from "./store.ts";
import { lifetimesMs, type StoredKey } from "./storedKeys.ts";

export interface Cached<A> {
  readonly value: A;
  /** Whether the value is younger than its key's lifetime. */
  readonly isFresh: boolean;
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
      const age = clock.now() - entry.savedAt;
      return { value: entry.value, isFresh: age >= 0 && age < (key.freshForMs ?? lifetimesMs.short) };
    },
    write: (owner, value) => {
      if (!stored.write({ owner, savedAt: clock.now(), value })) stored.remove();
    },
  };
};

/** A query whose result is cached for the signed-in user. */
export interface CachedQuery<A> {
  readonly cache: Cache<A>;
  /** Returns the signed-in user's address; a result that arrives for another user is not cached. */
  readonly owner: () => string | null;
  readonly request: TE.TaskEither<Failure, A>;
}

/** The result of a query. `isStale`: the request failed, and the value is from the cache. */
export interface QueryResult<A> {
  readonly value: A;
  readonly isStale: boolean;
}

/** Requests the value and caches it; when the request fails, returns the cached value whatever its age. */
export const refetch =
  <A>({ cache, owner, request }: CachedQuery<A>): TE.TaskEither<Failure, QueryResult<A>> =>
  () => {
    const ownerAtStart = owner();
    const store = (value: A): QueryResult<A> => {
      if (ownerAtStart !== null && owner() === ownerAtStart) cache.write(ownerAtStart, value);
      return { value, isStale: false };
    };
    const fallBack = (failure: Failure): TE.TaskEither<Failure, QueryResult<A>> => {
      const cached = ownerAtStart === null || owner() !== ownerAtStart ? null : cache.read(ownerAtStart);
      return cached === null ? TE.left(failure) : TE.right({ value: cached.value, isStale: true });
    };
    return pipe(request, TE.map(store), TE.orElse(fallBack))();
  };

/** Returns the cached value while it is fresh; otherwise requests it. */
export const getCached =
  <A>(query: CachedQuery<A>): TE.TaskEither<Failure, QueryResult<A>> =>
  () => {
    const owner = query.owner();
    const cached = owner === null ? null : query.cache.read(owner);
    return cached?.isFresh ? TE.right({ value: cached.value, isStale: false })() : refetch(query)();
  };
