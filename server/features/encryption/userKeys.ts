import type {
  AnnouncedKeys,
  KeyStatus,
  Publication,
  PublicKey,
} from "../../../core/encryption/keyEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { deletePublicKey, findPublicKey, setKeyPublished, upsertPublicKey } from "./publicKeyQueries.ts";

const notConfigured: KeyStatus = { status: "not-configured" };
const awaitingDeviceKey: KeyStatus = {
  status: "awaiting-device-key",
  message: "Keys are created on your device. Send the public one.",
};

const keyChangedMessage =
  "The key your mail is encrypted to was changed. If this was not you, end all other sessions.";
const keyRemovedMessage = "Your mail is no longer encrypted. If this was not you, end all other sessions.";

type KeyContext = Pick<ServerContext, "clock">;

/** Locks the user and announces a change of the key, with a notification that another session cannot prevent. */
const recordChange = async (
  { clock }: KeyContext,
  tx: Db,
  userId: string,
  message: (before: { readonly fingerprint: string } | undefined) => string | null,
): Promise<void> => {
  await lockUser(tx, userId);
  const now = clock.now();
  const text = message(await findPublicKey(tx, userId));
  if (text !== null)
    await addNotification(tx, { userId, type: "security", priority: "high", message: text }, now);
  // The account's score depends on encryption too.
  for (const resource of ["keys", "account"])
    await appendEvent(tx, { userId, resource, resourceId: null, action: "updated" }, now);
};

export const readKeyStatus = async (db: Db, userId: string): Promise<KeyStatus> => {
  const key = await findPublicKey(db, userId);
  return key ? { status: "configured", fingerprint: key.fingerprint } : notConfigured;
};

export const listKeys = async (db: Db, userId: string): Promise<{ readonly keys: PublicKey[] }> => {
  const key = await findPublicKey(db, userId);
  if (!key) return { keys: [] };
  const { public_key: publicKey, fingerprint, created_at, published } = key;
  const created = new Date(created_at).toISOString();
  return { keys: [{ publicKey, fingerprint, created, published: published === 1 }] };
};

/** Returns what the user's other clients show after a change. */
export const readAnnouncedKeys = async (db: Db, userId: string): Promise<AnnouncedKeys> => ({
  ...(await readKeyStatus(db, userId)),
  ...(await listKeys(db, userId)),
});

/** Checks a public key and prepares to store it; without one, the answer asks the client to send one (D40). */
export const setUpKey = async (
  context: KeyContext,
  userId: string,
  publicKey: string | undefined,
): Promise<Write<KeyStatus>> => {
  if (publicKey === undefined) return async () => awaitingDeviceKey;
  const now = context.clock.now();
  const { checkPublicKey } = await import("../../platform/openpgp/checkPublicKey.ts");
  const result = await checkPublicKey(publicKey, new Date(now));
  if ("problem" in result) throw fieldError("invalid", "publicKey", result.problem);
  const { fingerprint } = result;
  return async (tx) => {
    await recordChange(context, tx, userId, (before) =>
      before && before.fingerprint !== fingerprint ? keyChangedMessage : null,
    );
    await upsertPublicKey(tx, userId, { ...result, now });
    return { status: "configured", fingerprint };
  };
};

export const removeKey = async (context: KeyContext, tx: Db, userId: string): Promise<KeyStatus> => {
  await recordChange(context, tx, userId, (before) => (before ? keyRemovedMessage : null));
  await deletePublicKey(tx, userId);
  return notConfigured;
};

/** Sets whether the Web Key Directory serves the key. Rejects with 409 when there is none. */
export const publishKey = async (
  context: KeyContext,
  tx: Db,
  userId: string,
  published: boolean,
): Promise<Publication> => {
  await recordChange(context, tx, userId, () => null);
  if (!(await setKeyPublished(tx, userId, published)))
    throw new UseCaseError("conflict", "There is no key to publish. Set up encryption first.");
  return { published };
};
