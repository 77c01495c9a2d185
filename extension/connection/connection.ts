import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { ApiScope } from "../../core/api/apiScope.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { OpenTextStream } from "../../core/ports/textStream.ts";
import { createStore, json, type StoredItem } from "../../core/storage/store.ts";
import type { StoredKey } from "../../core/storage/storedKeys.ts";

/** The server that this browser is connected to, with the API token that it calls it by. */
const Connection = t.type({
  /** The address, without a slash at its end. */
  server: t.string,
  token: t.string,
  /** The id of the token, which is no secret: copies of lists on this device belong to it. */
  tokenId: t.string,
  /** The name of the token in the user's settings. */
  name: t.string,
  scopes: t.readonlyArray(ApiScope),
});
export type Connection = t.TypeOf<typeof Connection>;

const connectionKey: StoredKey = { name: "connection", place: "local" };

/** Returns the stored connection; null while there is none. */
export const storedConnection = (storage: Storage): StoredItem<Connection> =>
  createStore(storage).get(connectionKey, json(Connection));

/** The ports of a part of the extension. */
export interface ExtensionPorts extends Ports {
  readonly openTextStream: OpenTextStream;
  /** Resolves when the last change is stored; false if the browser has refused it. */
  readonly isStored: () => Promise<boolean>;
}

const storageRefused = "This browser cannot keep the connection. Free some space and try again.";

/** Stores a connection; left is the sentence for the user, where the browser keeps nothing. */
export const storeConnection =
  ({ storage, isStored }: Pick<ExtensionPorts, "storage" | "isStored">, connection: Connection) =>
  async (): Promise<E.Either<string, Connection>> => {
    const item = storedConnection(storage);
    if (item.write(connection) && (await isStored())) return E.right(connection);
    item.remove();
    return E.left(storageRefused);
  };
