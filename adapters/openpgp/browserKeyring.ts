import { left, right } from "fp-ts/lib/Either.js";
import type { Keyring } from "../../core/ports/keyring.ts";
import { keyDatabaseName } from "./keyDatabase.ts";

type Library = typeof import("./keyWorkerClient.ts");

/** Loads the code that starts and calls the key worker. */
export const loadKeyWorkerClient = (): Promise<Library> => import("./keyWorkerClient.ts");

const unavailable = () => left("unavailable" as const);
const notLoaded = () => left("not-loaded" as const);

const deleteKeyDatabase = (databases: IDBFactory, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = databases.deleteDatabase(keyDatabaseName + path);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

/**
 * Creates the keyring of a browser, a proxy of a worker that `load` loads with the first task. Deleting all keys
 * needs no loading, so that a logout without a network deletes them. The name of the database ends with `path`, that of
 * the app on its host.
 */
export const createBrowserKeyring = (window: Window, load: () => Promise<Library>, path = ""): Keyring => {
  let client: ReturnType<Library["createKeyWorkerClient"]> | undefined;
  const forgetAll: Keyring["forgetAll"] = () => () => {
    client?.stop();
    return deleteKeyDatabase(window.indexedDB, path).then(right, unavailable);
  };
  const runInWorker =
    (name: Exclude<keyof Keyring, "forgetAll">) =>
    (...args: readonly unknown[]) =>
    () =>
      load()
        .then(({ createKeyWorkerClient }) => {
          client ??= createKeyWorkerClient(window, path);
          return client.run(name, args);
        })
        .catch(notLoaded);
  return new Proxy({ forgetAll } as Keyring, {
    get: (own, name: keyof Keyring | "then") => {
      // NOTE: a proxy that answers to every name is a promise to the container of the app, which would wait for it forever.
      if (name === "then") return undefined;
      return name === "forgetAll" ? own.forgetAll : runInWorker(name);
    },
  });
};
