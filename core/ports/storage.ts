import type { Observable } from "rxjs";

/** A place for text by key that may outlive the page. */
export interface KeyValueStorage {
  readonly read: (key: string) => string | null;
  /** False when the place is full or refused. */
  readonly write: (key: string, value: string) => boolean;
  readonly remove: (key: string) => void;
  readonly keys: () => readonly string[];
  /** Changes made elsewhere (another tab); `null` when removed. */
  readonly changes$: Observable<{ readonly key: string; readonly value: string | null }>;
}

/** `local` is shared by all tabs and survives them; `tab` belongs to one tab. */
export interface Storage {
  readonly local: KeyValueStorage;
  readonly tab: KeyValueStorage;
}
