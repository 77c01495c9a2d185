import { left, right } from "fp-ts/lib/Either.js";
import type { Keyring } from "../../core/ports/keyring.ts";
import { keyDatabaseName } from "./keyRecords.ts";

type Library = typeof import("./browserKeyring.ts");

/** Loads the module that starts the key worker. */
export const loadKeyring = (): Promise<Library> => import("./browserKeyring.ts");

const unavailable = () => left("unavailable" as const);

const deleteKeyDatabase = (databases: IDBFactory): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = databases.deleteDatabase(keyDatabaseName);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

/**
 * Creates the keyring of a browser, which `load` loads with the first task. Deleting all keys needs no
 * loading, so that a logout without a network deletes them.
 */
export const createLazyKeyring = (window: Window, load: () => Promise<Library>): Keyring => {
  let keyring: ReturnType<Library["createBrowserKeyring"]> | undefined;
  const task =
    (name: Exclude<keyof Keyring, "forgetAll">) =>
    (...args: readonly unknown[]) =>
    () =>
      load().then(({ createBrowserKeyring }) => {
        keyring ??= createBrowserKeyring(window);
        return (keyring[name] as (...parameters: readonly unknown[]) => () => Promise<unknown>)(...args)();
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
        return right(await deleteKeyDatabase(window.indexedDB));
      } catch {
        return unavailable();
      }
    },
  };
};
