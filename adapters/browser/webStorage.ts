import { concatMap, filter, from, fromEvent, map, type Observable } from "rxjs";
import type { KeyValueStorage, Storage as StoragePort } from "../../core/ports/storage.ts";

type Area = "localStorage" | "sessionStorage";

/** Runs what the browser may refuse (a full store, blocked cookies), with an answer for that case. */
const tolerate = <A>(run: () => A, otherwise: A): A => {
  try {
    return run();
  } catch {
    return otherwise;
  }
};

const keyValue = (window: Window, area: Area): KeyValueStorage => {
  const asked = new Set<string>();
  /** One event for each key; clearing everything names none, so it removes all that was asked for. */
  const changesOf = ({ key, newValue }: StorageEvent): Observable<{ key: string; value: string | null }> =>
    from(key === null ? asked : [key]).pipe(
      map((name) => ({ key: name, value: key === null ? null : newValue })),
    );
  return {
    read: (key) => {
      asked.add(key);
      return tolerate(() => window[area].getItem(key), null);
    },
    write: (key, value) => {
      asked.add(key);
      return tolerate(() => {
        window[area].setItem(key, value);
        return true;
      }, false);
    },
    remove: (key) => tolerate(() => window[area].removeItem(key), undefined),
    keys: () => tolerate(() => Object.keys(window[area]), []),
    changes$: fromEvent<StorageEvent>(window, "storage").pipe(
      filter(({ storageArea }) => storageArea === tolerate(() => window[area], null)),
      concatMap(changesOf),
    ),
  };
};

/** The browser's two stores. One that is blocked reads as empty and refuses to write. */
export const makeWebStorage = (window: Window): StoragePort => ({
  local: keyValue(window, "localStorage"),
  tab: keyValue(window, "sessionStorage"),
});
