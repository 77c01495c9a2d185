import type {
  AnnouncedKeys,
  KeyStatus,
  Publication,
  PublicKey,
} from "../../../core/encryption/keyEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { deletePublicKey, findPublicKey, setKeyPublished, upsertPublicKey } from "./publicKeyQueries.ts";

/** The use cases of the key that a user's mail is encrypted to. */
export interface UserKeys {
  readonly status: (userId: string) => Promise<KeyStatus>;
  readonly list: (userId: string) => Promise<{
    readonly keys: PublicKey[];
  }>;
  /** Returns what the user's other clients show after a change. */
  readonly getAnnounced: (userId: string) => Promise<AnnouncedKeys>;
  /** Checks and stores a public key; without one, the answer asks the client to send one (D40). */
  readonly setUp: (
    userId: string,
    publicKey: string | undefined,
    keep: RecordAnswer<KeyStatus>,
  ) => Promise<KeyStatus>;
  readonly remove: (userId: string, keep: RecordAnswer<KeyStatus>) => Promise<KeyStatus>;
  /** Sets whether the Web Key Directory serves the key. Throws 409 when there is none. */
  readonly publish: (
    userId: string,
    isPublished: boolean,
    keep: RecordAnswer<Publication>,
  ) => Promise<Publication>;
}

const notConfigured: KeyStatus = { status: "not-configured" };
const awaitingDeviceKey: KeyStatus = {
  status: "awaiting-device-key",
  message: "Keys are made on your device. Send the public one.",
};

const keyChangedMessage =
  "The key your mail is encrypted to was changed. If this was not you, end all other sessions.";
const keyRemovedMessage = "Your mail is no longer encrypted. If this was not you, end all other sessions.";

export const createUserKeys = ({
  database,
  clock,
  feed,
}: Pick<ServerContext, "database" | "clock" | "feed">): UserKeys => {
  const status = async (userId: string): Promise<KeyStatus> => {
    const key = await findPublicKey(database.db, userId);
    return key ? { status: "configured", fingerprint: key.fingerprint } : notConfigured;
  };

  /** Makes one change, announces it, and stores a notification that another session cannot prevent. */
  const change = async <A>(
    userId: string,
    message: string | null,
    work: (db: Db) => Promise<A>,
  ): Promise<A> => {
    const answer = await database.transaction(async (db) => {
      await lockUser(db, userId);
      const now = clock.now();
      if (message !== null)
        await addNotification(db, { userId, type: "security", priority: "high", message }, now);
      // The account's score depends on encryption too.
      for (const resource of ["keys", "account"])
        await appendEvent(db, { userId, resource, resourceId: null, action: "updated" }, now);
      return work(db);
    });
    feed.wake();
    return answer;
  };

  const list: UserKeys["list"] = async (userId) => {
    const key = await findPublicKey(database.db, userId);
    if (!key) return { keys: [] };
    const { public_key: publicKey, fingerprint, created_at, published } = key;
    const created = new Date(created_at).toISOString();
    return { keys: [{ publicKey, fingerprint, created, published: published === 1 }] };
  };

  return {
    status,
    list,
    getAnnounced: async (userId) => ({ ...(await status(userId)), ...(await list(userId)) }),
    setUp: async (userId, publicKey, keep) => {
      if (publicKey === undefined) return awaitingDeviceKey;
      const now = clock.now();
      const { checkPublicKey } = await import("../../platform/openpgp/checkPublicKey.ts");
      const result = await checkPublicKey(publicKey, new Date(now));
      if ("problem" in result) throw fieldError("invalid", "publicKey", result.problem);
      const before = await findPublicKey(database.db, userId);
      const isReplaced = before !== undefined && before.fingerprint !== result.fingerprint;
      return change(userId, isReplaced ? keyChangedMessage : null, async (db) => {
        await upsertPublicKey(db, userId, { ...result, now });
        return keep(db, { status: "configured", fingerprint: result.fingerprint });
      });
    },
    remove: async (userId, keep) => {
      const before = await findPublicKey(database.db, userId);
      return change(userId, before ? keyRemovedMessage : null, async (db) => {
        await deletePublicKey(db, userId);
        return keep(db, notConfigured);
      });
    },
    publish: (userId, published, keep) =>
      change(userId, null, async (db) => {
        if (!(await setKeyPublished(db, userId, published)))
          throw new UseCaseError("conflict", "There is no key to publish. Set up encryption first.");
        return keep(db, { published });
      }),
  };
};
