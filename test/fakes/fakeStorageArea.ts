import type { StorageArea } from "../../adapters/webExtension/extensionStorage.ts";

type Changes = Readonly<Record<string, { readonly newValue?: unknown }>>;

/** The storage of an extension, which all of its contexts share. */
export interface FakeStorageArea extends StorageArea {
  /** Changes a value as another context of the extension does; null removes it. */
  readonly changeElsewhere: (key: string, value: unknown) => void;
  /** From now on the browser keeps nothing more. */
  readonly refuseWrites: () => void;
}

export const createFakeStorageArea = (initial: Readonly<Record<string, unknown>> = {}): FakeStorageArea => {
  const values = new Map<string, unknown>(Object.entries(initial));
  const listeners = new Set<(changes: Changes) => void>();
  let isFull = false;
  const report = (changes: Changes): void => {
    for (const listener of listeners) listener(changes);
  };
  return {
    get: async (key) =>
      Object.fromEntries(key === null ? values : [...values].filter(([name]) => name === key)),
    set: async (items) => {
      if (isFull) throw new Error("QUOTA_BYTES quota exceeded");
      const changed = Object.entries(items).filter(([key, value]) => values.get(key) !== value);
      for (const [key, value] of changed) values.set(key, value);
      report(Object.fromEntries(changed.map(([key, newValue]) => [key, { newValue }])));
    },
    remove: async (key) => {
      if (values.delete(key)) report({ [key]: {} });
    },
    onChanged: {
      addListener: (listener) => void listeners.add(listener),
    },
    changeElsewhere: (key, value) => {
      if (value === null) values.delete(key);
      else values.set(key, value);
      report({ [key]: value === null ? {} : { newValue: value } });
    },
    refuseWrites: () => {
      isFull = true;
    },
  };
};
