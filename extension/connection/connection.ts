import * as t from "io-ts";
import { ApiScope } from "../../core/api/apiScope.ts";
import type { Storage } from "../../core/ports/storage.ts";
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
