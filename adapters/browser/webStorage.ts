import { concatMap, filter, from, fromEvent, map, type Observable } from "rxjs";
import type { KeyValueStorage, Storage as StoragePort } from "../../core/ports/storage.ts";

type Area = "localStorage" | "sessionStorage";

/** Runs an operation that the browser may refuse (full storage, blocked cookies), with a fallback result. */
const withFallback = <A>(run: () => A, fallback: A): A => {
  try {
    return run();
  } catch {
    return fallback;
  }
};

const keyValue = (window: Window, area: Area, path: string): KeyValueStorage => {
  const usedKeys = new Set<string>();
  const used = (key: string): string => {
    usedKeys.add(key);
    return key + path;
  };
  const ownKeys = (names: readonly string[]): readonly string[] =>
    names.filter((name) => name.endsWith(path)).map((name) => name.slice(0, name.length - path.length));
  /** Emits one event for each key; clearing the storage names no key, so all keys used before are removed. */
  const toChanges = ({ key, newValue }: StorageEvent): Observable<{ key: string; value: string | null }> =>
    from(key === null ? usedKeys : ownKeys([key])).pipe(
      map((name) => ({ key: name, value: key === null ? null : newValue })),
    );
  return {
    read: (key) => withFallback(() => window[area].getItem(used(key)), null),
    write: (key, value) =>
      withFallback(() => {
        window[area].setItem(used(key), value);
        return true;
      }, false),
    remove: (key) => withFallback(() => window[area].removeItem(key + path), undefined),
    keys: () => withFallback(() => ownKeys(Object.keys(window[area])), []),
    changes$: fromEvent<StorageEvent>(window, "storage").pipe(
      filter(({ storageArea }) => storageArea === withFallback(() => window[area], null)),
      concatMap(toChanges),
    ),
  };
};

/**
 * Creates the storage port over localStorage and sessionStorage, where all names end with `path`, that of the app on its host; a blocked one
 * reads as empty and fails to write.
 */
export const createWebStorage = (window: Window, path = ""): StoragePort => ({
  local: keyValue(window, "localStorage", path),
  tab: keyValue(window, "sessionStorage", path),
});
