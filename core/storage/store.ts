import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import { filter, map, type Observable } from "rxjs";
import type { Storage } from "../ports/storage.ts";
import type { StoredKey } from "./storedKeys.ts";

/** A codec between a value and its stored text. */
export type TextCodec<A> = t.Type<A, string, unknown>;

/** Stores text unchanged; empty text is invalid. */
export const plainText: TextCodec<string> = new t.Type(
  "text",
  t.string.is,
  (u, context) => (typeof u === "string" && u !== "" ? t.success(u) : t.failure(u, context)),
  (text) => text,
);

/** Stores a point in time as milliseconds since 1970. */
export const timestamp: TextCodec<number> = new t.Type(
  "timestamp",
  t.number.is,
  (u, context) =>
    typeof u === "string" && /^\d{1,16}$/.test(u) ? t.success(Number(u)) : t.failure(u, context),
  String,
);

/** Stores the encoded form of another codec as JSON. */
export const json = <A>(codec: t.Type<A, unknown, unknown>): TextCodec<A> =>
  new t.Type(
    codec.name,
    codec.is,
    (u, context) =>
      pipe(
        E.tryCatch(
          (): unknown => JSON.parse(String(u)),
          () => undefined,
        ),
        E.match(
          () => t.failure(u, context),
          (value) => codec.validate(value, context),
        ),
      ),
    (value) => JSON.stringify(codec.encode(value)),
  );

/** One typed value in the browser's storage. */
export interface StoredItem<A> {
  /** Returns the value or null. A value that cannot be decoded is removed and counts as absent. */
  readonly read: () => A | null;
  /** Returns false when the storage is full or access is denied. */
  readonly write: (value: A) => boolean;
  readonly remove: () => void;
  /** Emits the changes that other tabs make; null when the value was removed or cannot be decoded. */
  readonly changes$: Observable<A | null>;
}

/** Typed access to the browser's storage by declared keys. */
export interface Store {
  readonly get: <A>(key: StoredKey, codec: TextCodec<A>) => StoredItem<A>;
  readonly remove: (keys: readonly StoredKey[]) => void;
}

/** Creates a store over the `storage` port. */
export const createStore = (storage: Storage): Store => {
  const getItem = <A>({ name, place }: StoredKey, codec: TextCodec<A>): StoredItem<A> => {
    const { [place]: area } = storage;
    const decode = (text: string | null): A | null =>
      text === null
        ? null
        : pipe(
            codec.decode(text),
            E.getOrElse((): A | null => null),
          );
    return {
      read: () => {
        const text = area.read(name);
        const value = decode(text);
        if (text !== null && value === null) area.remove(name);
        return value;
      },
      write: (value) => area.write(name, codec.encode(value)),
      remove: () => area.remove(name),
      changes$: area.changes$.pipe(
        filter(({ key }) => key === name),
        map(({ value }) => decode(value)),
      ),
    };
  };
  return {
    get: getItem,
    remove: (keys) => {
      for (const { name, place } of keys) storage[place].remove(name);
    },
  };
};
