import { left, right } from "fp-ts/lib/Either.js";
import type { Keyring } from "../../core/ports/keyring.ts";
import { keyDatabase } from "./keyDatabase.ts";

type Library = typeof import("./browserKeyring.ts");

/** Fetches what speaks with the worker that keys live in. */
export const loadKeyring = (): Promise<Library> => import("./browserKeyring.ts");

const unavailable = () => left("unavailable" as const);

const deleted = (databases: IDBFactory): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = databases.deleteDatabase(keyDatabase);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

/**
 * The keyring of a browser, fetched by `load` when it is first asked something. Forgetting all keys needs nothing to be
 * fetched: whoever logs out without a network leaves none behind.
 */
export const makeLateKeyring = (window: Window, load: () => Promise<Library>): Keyring => {
  let keyring: ReturnType<Library["makeBrowserKeyring"]> | undefined;
  const task =
    (name: Exclude<keyof Keyring, "forgetAll">) =>
    (...args: readonly unknown[]) =>
    () =>
      load().then(({ makeBrowserKeyring }) => {
        keyring ??= makeBrowserKeyring(window);
        return (keyring[name] as (...given: readonly unknown[]) => () => Promise<unknown>)(...args)();
      }, unavailable);
  const names = [
    "list",
    "create",
    "protect",
    "markBackedUp",
    "import",
    "remove",
    "rename",
    "examine",
    "open",
  ] as const;
  return {
    ...(Object.fromEntries(names.map((name) => [name, task(name)])) as unknown as Keyring),
    forgetAll: () => async () => {
      keyring?.stop();
      try {
        return right(await deleted(window.indexedDB));
      } catch {
        return unavailable();
      }
    },
  };
};
