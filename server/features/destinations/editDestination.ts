import {
  type Destination,
  type DestinationChange,
  maxDestinationKeys,
} from "../../../core/destinations/destinationEndpoints.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import type { UsableKey } from "../../platform/openpgp/checkPublicKey.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { lockOwn, makeDefault, readDestination } from "./destinationChanges.ts";
import { deleteDestinationKeys, listDestinationKeyRows, putDestinationKey } from "./destinationKeyQueries.ts";
import type { DestinationRow } from "./destinationQueries.ts";

/** The change of a destination's keys. */
interface KeyChange {
  /** Fingerprints, or null for all. */
  readonly removed: readonly string[] | null;
  readonly added: readonly UsableKey[];
}

/** Says how mail is encrypted after a change of keys; null when it is to the same ones. */
const describeChange = (before: readonly string[], after: readonly string[]): string | null => {
  const added = after.filter((one) => !before.includes(one));
  const removed = before.filter((one) => !after.includes(one));
  if (added.length + removed.length === 0) return null;
  if (after.length === 0) return "is no longer encrypted to a key of its own";
  if (before.length > 0 && removed.length === 0) return "is encrypted to a further key now";
  return added.length === 0 ? "is encrypted to fewer keys now" : "is encrypted to another key now";
};

/** Changes the keys of a destination, and tells the owner: a stranger in their account would read their mail with one. */
const changeKeys = async (
  db: Db,
  { id, user_id: userId, email }: DestinationRow,
  { removed, added }: KeyChange,
  now: number,
): Promise<void> => {
  const list = async (): Promise<readonly string[]> =>
    (await listDestinationKeyRows(db, userId, id)).map(({ fingerprint }) => fingerprint);
  const before = await list();
  await deleteDestinationKeys(db, id, removed);
  for (const key of added) await putDestinationKey(db, { userId, destinationId: id }, key, now);
  const after = await list();
  if (after.length > maxDestinationKeys)
    throw fieldError(
      "invalid",
      "addKeys",
      `An address can have ${maxDestinationKeys} keys. Remove one of them first.`,
    );
  const change = describeChange(before, after);
  if (change === null) return;
  const message = `Mail to ${email} ${change}. If this was not you, end all other sessions.`;
  await addNotification(db, { userId, type: "security", priority: "high", message }, now);
};

/** Creates the function that changes one of a user's destinations; it checks the keys before it needs the store. */
export const createEditDestination = ({ clock }: Pick<MaskDeps, "clock">) => {
  const readKey = async (field: "publicKey" | "addKeys", publicKey: string): Promise<UsableKey> => {
    const { checkPublicKey } = await import("../../platform/openpgp/checkPublicKey.ts");
    const result = await checkPublicKey(publicKey, new Date(clock.now()));
    if ("problem" in result) throw fieldError("invalid", field, result.problem);
    return result;
  };
  const readChange = async (change: DestinationChange): Promise<KeyChange | null> => {
    const { publicKey, removeKeys = [], addKeys = [] } = change;
    if (publicKey === undefined && removeKeys.length + addKeys.length === 0) return null;
    const added: UsableKey[] = publicKey ? [await readKey("publicKey", publicKey)] : [];
    for (const one of addKeys.slice(0, maxDestinationKeys + 1)) added.push(await readKey("addKeys", one));
    return { removed: publicKey === undefined ? removeKeys : null, added };
  };
  return async (change: DestinationChange) => {
    const { name, isDefault } = change;
    const keys = await readChange(change);
    return async (db: Db, userId: string, id: string): Promise<Destination> => {
      const row = await lockOwn(db, userId, id);
      const now = clock.now();
      if (isDefault) await makeDefault(db, row);
      if (keys) await changeKeys(db, row, keys, now);
      if (name !== undefined)
        await db.updateTable("destinations").set({ name: name.trim() }).where("id", "=", id).execute();
      await appendEvent(db, { userId, resource: "account", resourceId: null, action: "updated" }, now);
      return readDestination(db, userId, id);
    };
  };
};
