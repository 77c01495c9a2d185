import { filter, firstValueFrom, NEVER } from "rxjs";
import type { Ports } from "../../core/ports/ports.ts";
import type { KeyValueStorage } from "../../core/ports/storage.ts";
import { createLoginApp, isPrivateConnection } from "./connect.ts";
import { createPorts } from "./ports.ts";
import { readLogin } from "./savedLogin.ts";
import { openSecrets, type SecretStore } from "./secrets.ts";

const inMemory = (texts: Map<string, string>): KeyValueStorage => ({
  read: (key) => texts.get(key) ?? null,
  write: (key, value) => Boolean(texts.set(key, value)),
  remove: (key) => void texts.delete(key),
  keys: () => [...texts.keys()],
  changes$: NEVER,
});

/** Copies what proves a login, so that the next one may overwrite it. */
const copyOf = (
  server: string,
  store: SecretStore,
): { readonly store: SecretStore; readonly ports: Ports } => {
  const { storage } = createPorts(server, store, "session");
  const texts = new Map(storage.local.keys().map((key) => [key, storage.local.read(key) ?? ""] as const));
  const secrets = new Map(store.names().map((name) => [name, store.read(name) ?? ""] as const));
  for (const [name, secret] of secrets) texts.set(name, secret);
  const copied: SecretStore = {
    ...store,
    names: () => [...secrets.keys()],
    read: (name) => secrets.get(name) ?? null,
    write: (name, secret) => Boolean(secret === null ? secrets.delete(name) : secrets.set(name, secret)),
    reload: () => {},
    removeAll: () => secrets.clear(),
  };
  const ports = createPorts(server, copied, "session");
  return { store: copied, ports: { ...ports, storage: { ...ports.storage, local: inMemory(texts) } } };
};

/**
 * Holds the session of the login that is there; the returned function ends it at its server, once another login has taken
 * its place. A token stays valid: its owner revokes it.
 */
export const holdEarlierSession = (nextServer: string): (() => Promise<void>) => {
  const saved = readLogin();
  if (saved === null) return async () => {};
  const kept = openSecrets(saved.server, saved.secrets);
  const copy = copyOf(saved.server, kept);
  return async () => {
    if (saved.server !== nextServer) kept.removeAll();
    if (saved.kind === "token" || !isPrivateConnection(saved.server)) return;
    const app = createLoginApp({ ...saved, ...copy, token: null });
    const stop = app.start();
    const { kind } = await firstValueFrom(
      app.session.state$.pipe(filter((state) => state.kind !== "starting")),
    );
    if (kind === "signed-in") await app.session.logOut()();
    stop();
  };
};
