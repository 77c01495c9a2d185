import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { createFileStorage } from "../../adapters/node/fileStorage.ts";
import { findKeyStore, type KeyStore } from "./keyStore.ts";
import { serverFolder } from "./stateFolder.ts";

/** The place of a login's secrets. */
export const SecretPlace = t.keyof({ "key-store": null, file: null });
export type SecretPlace = t.TypeOf<typeof SecretPlace>;

const Secrets = t.record(t.string, t.string);

/** The store of what proves who is logged in: tokens and cookies, by name. */
export interface SecretStore {
  readonly place: SecretPlace;
  readonly names: () => readonly string[];
  readonly read: (name: string) => string | null;
  /** Keeps a secret; null removes it. */
  readonly write: (name: string, secret: string | null) => boolean;
  /** Reads again what another process may have written. */
  readonly reload: () => void;
  readonly removeAll: () => void;
}

type Texts = Pick<KeyStore, "read" | "write" | "remove">;

const fileKey = "secrets";

/** Keeps secrets in a file that only this user reads. */
const inFile: Texts = {
  read: (server) => createFileStorage(serverFolder(server)).read(fileKey),
  write: (server, text) => createFileStorage(serverFolder(server)).write(fileKey, text),
  remove: (server) => createFileStorage(serverFolder(server)).remove(fileKey),
};

const decode = (text: string | null): ReadonlyMap<string, string> => {
  try {
    const decoded = Secrets.decode(JSON.parse(text ?? "{}"));
    return new Map(E.isRight(decoded) ? Object.entries(decoded.right) : []);
  } catch {
    return new Map();
  }
};

const textsOf = (place: SecretPlace): Texts => (place === "file" ? inFile : (findKeyStore() ?? inFile));

/** Opens the secrets of a login at a server. Each change is kept before the next step of the program. */
export const openSecrets = (server: string, place: SecretPlace): SecretStore => {
  const texts = textsOf(place);
  let known = new Map(decode(texts.read(server)));
  return {
    place,
    names: () => [...known.keys()],
    read: (name) => known.get(name) ?? null,
    write: (name, secret) => {
      if ((known.get(name) ?? null) === secret) return true;
      if (secret === null) known.delete(name);
      else known.set(name, secret);
      return texts.write(server, JSON.stringify(Object.fromEntries(known)));
    },
    reload: () => {
      known = new Map(decode(texts.read(server)));
    },
    removeAll: () => {
      known.clear();
      texts.remove(server);
    },
  };
};

const probe = "probe";

/** Chooses where the secrets of a new login are kept: in the key store of the system if there is one that works. */
export const choosePlace = (server: string): { readonly place: SecretPlace; readonly name: string } => {
  const store = findKeyStore();
  const works =
    store?.write(server, JSON.stringify({ probe })) && decode(store.read(server)).get(probe) === probe;
  if (store === null || !works) return { place: "file", name: "a file that only you can read" };
  store.remove(server);
  return { place: "key-store", name: store.name };
};
