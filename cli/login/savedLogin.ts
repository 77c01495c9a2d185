import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { createFileStorage } from "../../adapters/node/fileStorage.ts";
import { ClientConfiguration } from "../../core/api/configuration.ts";
import { User } from "../../core/session/user.ts";
import { SecretPlace } from "./secrets.ts";
import { stateFolder } from "./stateFolder.ts";

/** A login as it is kept, without its secrets. */
export const SavedLogin = t.type({
  server: t.string,
  kind: t.keyof({ session: null, token: null }),
  secrets: SecretPlace,
  configuration: ClientConfiguration,
  user: User,
});
export type SavedLogin = t.TypeOf<typeof SavedLogin>;

const key = "login";

const storage = () => createFileStorage(stateFolder());

/** Returns the login of the last `bauta-cli login`; null without one. */
export const readLogin = (): SavedLogin | null => {
  try {
    const decoded = SavedLogin.decode(JSON.parse(storage().read(key) ?? "null"));
    return E.isRight(decoded) ? decoded.right : null;
  } catch {
    return null;
  }
};

export const writeLogin = (login: SavedLogin): boolean =>
  storage().write(key, JSON.stringify(SavedLogin.encode(login)));

export const removeLogin = (): void => storage().remove(key);
