import type { Observable } from "rxjs";

/** Stores text by key; the text may outlive the page. */
export interface KeyValueStorage {
  readonly read: (key: string) => string | null;
  /** Returns false when the storage is full or access is denied. */
  readonly write: (key: string, value: string) => boolean;
  readonly remove: (key: string) => void;
  readonly keys: () => readonly string[];
  /** Emits the changes that other tabs make; `value` is null when the key was removed. */
  readonly changes$: Observable<{ readonly key: string; readonly value: string | null }>;
}

/** The two storages: all tabs share `local`, which survives them; `tab` belongs to one tab. */
export interface Storage {
  readonly local: KeyValueStorage;
  readonly tab: KeyValueStorage;
}
