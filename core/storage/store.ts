import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import { filter, map, type Observable } from "rxjs";
import type { Storage } from "../ports/storage.ts";
import type { TextCodec } from "./storedCodecs.ts";
import type { StoredKey } from "./storedKeys.ts";

/** One stored value. */
export interface Stored<A> {
  /** What is stored, or null. What cannot be read is removed and counts as absent. */
  readonly read: () => A | null;
  /** False when the store is full or refused. */
  readonly write: (value: A) => boolean;
  readonly remove: () => void;
  /** What another tab made of it; null when it was removed there or cannot be read. */
  readonly changes$: Observable<A | null>;
}

/** The browser's storage, by declared keys and with typed values. */
export interface Store {
  readonly of: <A>(key: StoredKey, codec: TextCodec<A>) => Stored<A>;
  readonly forget: (keys: readonly StoredKey[]) => void;
}

export const makeStore = (storage: Storage): Store => {
  const stored = <A>({ name, place }: StoredKey, codec: TextCodec<A>): Stored<A> => {
    const { [place]: kept } = storage;
    const decode = (text: string | null): A | null =>
      text === null
        ? null
        : pipe(
            codec.decode(text),
            E.getOrElse((): A | null => null),
          );
    return {
      read: () => {
        const text = kept.read(name);
        const value = decode(text);
        if (text !== null && value === null) kept.remove(name);
        return value;
      },
      write: (value) => kept.write(name, codec.encode(value)),
      remove: () => kept.remove(name),
      changes$: kept.changes$.pipe(
        filter(({ key }) => key === name),
        map(({ value }) => decode(value)),
      ),
    };
  };
  return {
    of: stored,
    forget: (keys) => {
      for (const { name, place } of keys) storage[place].remove(name);
    },
  };
};
