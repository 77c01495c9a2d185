/** An event of the browser that an extension listens to. */
export interface ExtensionEvent<Listener> {
  readonly addListener: (listener: Listener) => void;
  readonly removeListener: (listener: Listener) => void;
}

/** A storage of an extension; `get(null)` returns all of it. */
export interface StorageArea {
  readonly get: (keys: string | null) => Promise<Readonly<Record<string, unknown>>>;
  readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
  /** Reports every change, also those of this context. */
  readonly onChanged: ExtensionEvent<
    (changes: Readonly<Record<string, { readonly newValue?: unknown }>>) => void
  >;
}
