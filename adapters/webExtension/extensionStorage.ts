import { Observable } from "rxjs";
import type { KeyValueStorage } from "../../core/ports/storage.ts";

/** A storage of an extension; `get(null)` returns all of it. */
export interface StorageArea {
  readonly get: (keys: string | null) => Promise<Readonly<Record<string, unknown>>>;
  readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
  /** Sets who reads it; Firefox has no such call. */
  readonly setAccessLevel?: (level: { readonly accessLevel: "TRUSTED_CONTEXTS" }) => Promise<void>;
  /** Reports every change, also those of this context. */
  readonly onChanged: {
    readonly addListener: (
      listener: (changes: Readonly<Record<string, { readonly newValue?: unknown }>>) => void,
    ) => void;
  };
}

/** Keeps a storage, with the token in it, from the extension's own scripts in web pages, where a browser can do that. */
export const keepFromPages = async (area: StorageArea): Promise<void> =>
  area.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

/** The characters that are kept, in keys and values together; browsers refuse more than 10 MiB. */
const maxCharacters = 4_000_000;

/** A storage of an extension, whose writes reach the browser after they are read here. */
export interface ExtensionStorage extends KeyValueStorage {
  /** Resolves when the last change is stored: true, or false if the browser has refused it. */
  readonly isStored: () => Promise<boolean>;
}

type Change = { readonly key: string; readonly value: string | null };

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/**
 * Reads what an extension has stored and returns it as a storage: reads are answered from memory, writes reach the browser
 * soon afterwards, and changes of other contexts of the extension arrive. Values that are no text are left alone.
 */
export const loadExtensionStorage = async (area: StorageArea): Promise<ExtensionStorage> => {
  const values = new Map<string, string>();
  /** The own changes of a key that the browser has not reported yet. */
  const unreported = new Map<string, (string | null)[]>();
  /** What other contexts have stored before an own change of the same key, which replaces it unless it is refused. */
  const replaced = new Map<string, string | null>();
  const listeners = new Set<(change: Change) => void>();
  let lastStored = Promise.resolve(true);
  const put = (key: string, value: string | null): void => {
    if (value === null) values.delete(key);
    else values.set(key, value);
  };
  /** Takes what the browser has stored. */
  const take = (key: string, value: string | null): void => {
    if ((values.get(key) ?? null) === value) return;
    put(key, value);
    for (const listener of listeners) listener({ key, value });
  };
  /** Ends the wait for the report of an own change; returns true if it was the last of its key. */
  const settle = (key: string, value: string | null): boolean => {
    const own = unreported.get(key) ?? [];
    own.splice(own.indexOf(value), own.includes(value) ? 1 : 0);
    if (own.length > 0) return false;
    unreported.delete(key);
    return true;
  };
  const receive = (key: string, value: string | null): void => {
    const own = unreported.get(key);
    if (own !== undefined && own[0] !== value) replaced.set(key, value);
    else if (own === undefined || settle(key, value)) {
      replaced.delete(key);
      take(key, value);
    }
  };
  area.onChanged.addListener((changes) => {
    for (const [key, { newValue }] of Object.entries(changes)) receive(key, textOf(newValue));
  });
  for (const [key, value] of Object.entries(await area.get(null)))
    if (typeof value === "string") values.set(key, value);

  const change = (key: string, value: string | null): void => {
    // The browser reports no change to the same value.
    if ((values.get(key) ?? null) === value) return;
    put(key, value);
    unreported.set(key, [...(unreported.get(key) ?? []), value]);
    const stored = value === null ? area.remove(key) : area.set({ [key]: value });
    lastStored = stored.then(
      () => true,
      () => {
        const theirs = replaced.get(key);
        if (settle(key, value) && theirs !== undefined) {
          replaced.delete(key);
          take(key, theirs);
        }
        return false;
      },
    );
  };
  const charactersOf = (key: string): number => {
    const value = values.get(key);
    return value === undefined ? 0 : key.length + value.length;
  };
  const used = (): number => [...values.keys()].reduce((sum, key) => sum + charactersOf(key), 0);
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, value) => {
      if (used() - charactersOf(key) + key.length + value.length > maxCharacters) return false;
      change(key, value);
      return true;
    },
    remove: (key) => change(key, null),
    keys: () => [...values.keys()],
    isStored: () => lastStored,
    changes$: new Observable((subscriber) => {
      const listener = (value: Change): void => subscriber.next(value);
      listeners.add(listener);
      return () => listeners.delete(listener);
    }),
  };
};
