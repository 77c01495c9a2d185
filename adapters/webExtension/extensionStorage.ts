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

type Change = { readonly key: string; readonly value: string | null };

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/**
 * Reads what an extension has stored and returns it as a storage: reads are answered from memory, writes reach the browser
 * soon afterwards, and changes of other contexts of the extension arrive. Values that are no text are left alone.
 */
export const loadExtensionStorage = async (area: StorageArea): Promise<KeyValueStorage> => {
  const values = new Map<string, string>();
  /** The own changes of a key that the browser has not reported yet. */
  const unreported = new Map<string, (string | null)[]>();
  const listeners = new Set<(change: Change) => void>();
  const put = (key: string, value: string | null): void => {
    if (value === null) values.delete(key);
    else values.set(key, value);
  };
  const receive = (key: string, value: string | null): void => {
    const own = unreported.get(key);
    if (own?.[0] === value) {
      own.shift();
      if (own.length === 0) unreported.delete(key);
      return;
    }
    put(key, value);
    for (const listener of listeners) listener({ key, value });
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
    stored.catch(() => unreported.delete(key));
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
    changes$: new Observable((subscriber) => {
      const listener = (value: Change): void => subscriber.next(value);
      listeners.add(listener);
      return () => listeners.delete(listener);
    }),
  };
};
