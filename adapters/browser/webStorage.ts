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

const keyValue = (window: Window, area: Area): KeyValueStorage => {
  const usedKeys = new Set<string>();
  /** Emits one event for each key; clearing the storage names no key, so all keys used before are removed. */
  const toChanges = ({ key, newValue }: StorageEvent): Observable<{ key: string; value: string | null }> =>
    from(key === null ? usedKeys : [key]).pipe(
      map((name) => ({ key: name, value: key === null ? null : newValue })),
    );
  return {
    read: (key) => {
      usedKeys.add(key);
      return withFallback(() => window[area].getItem(key), null);
    },
    write: (key, value) => {
      usedKeys.add(key);
      return withFallback(() => {
        window[area].setItem(key, value);
        return true;
      }, false);
    },
    remove: (key) => withFallback(() => window[area].removeItem(key), undefined),
    keys: () => withFallback(() => Object.keys(window[area]), []),
    changes$: fromEvent<StorageEvent>(window, "storage").pipe(
      filter(({ storageArea }) => storageArea === withFallback(() => window[area], null)),
      concatMap(toChanges),
    ),
  };
};

/** Creates the storage port over localStorage and sessionStorage; a blocked one reads as empty and fails to write. */
export const createWebStorage = (window: Window): StoragePort => ({
  local: keyValue(window, "localStorage"),
  tab: keyValue(window, "sessionStorage"),
});
