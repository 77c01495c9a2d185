import type { KeyStatus, Publication, PublicKey } from "../../core/keys/keyEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Keep } from "../http/once.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import { addNotification } from "../store/notifications.ts";
import { deletePublicKey, publicKeyOf, publishKey, putPublicKey } from "../store/publicKeys.ts";
import { lockUser } from "../store/users.ts";
import { checkPublicKey } from "./checkPublicKey.ts";

export interface UserKeysParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: Pick<EventFeed, "nudge">;
}

/** What a user can do with the key their mail is encrypted to. */
export interface UserKeys {
  readonly status: (userId: string) => Promise<KeyStatus>;
  readonly list: (userId: string) => Promise<{
    readonly keys: PublicKey[];
  }>;
  /** Takes a public key after looking whether it serves; without one, says what is awaited (D40). */
  readonly setUp: (
    userId: string,
    publicKey: string | undefined,
    keep: Keep<KeyStatus>,
  ) => Promise<KeyStatus>;
  readonly remove: (userId: string, keep: Keep<KeyStatus>) => Promise<KeyStatus>;
  /** Says whether senders can find the key. Refused where there is none. */
  readonly publish: (userId: string, isPublished: boolean, keep: Keep<Publication>) => Promise<Publication>;
}

const notConfigured: KeyStatus = { status: "not-configured" };
const awaiting: KeyStatus = {
  status: "awaiting-device-key",
  message: "Keys are made on your device. Send the public one.",
};

const changed = "The key your mail is encrypted to was changed. If this was not you, end all other sessions.";
const removed = "Your mail is no longer encrypted. If this was not you, end all other sessions.";

export const makeUserKeys = ({ database, clock, feed }: UserKeysParts): UserKeys => {
  const status = async (userId: string): Promise<KeyStatus> => {
    const key = await publicKeyOf(database.db, userId);
    return key ? { status: "configured", fingerprint: key.fingerprint } : notConfigured;
  };

  /** One change, told to every page of the user and kept as a notification: whoever else has signed in cannot hide it. */
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
      await appendEvent(db, { userId, resource: "keys", resourceId: null, action: "updated" }, now);
      return work(db);
    });
    feed.nudge();
    return answer;
  };

  return {
    status,
    list: async (userId) => {
      const key = await publicKeyOf(database.db, userId);
      if (!key) return { keys: [] };
      const { public_key: publicKey, fingerprint, created_at, published } = key;
      const created = new Date(created_at).toISOString();
      return { keys: [{ publicKey, fingerprint, created, published: published === 1 }] };
    },
    setUp: async (userId, publicKey, keep) => {
      if (publicKey === undefined) return awaiting;
      const now = clock.now();
      const checked = await checkPublicKey(publicKey, new Date(now));
      if ("problem" in checked) throw refusedField(400, "publicKey", checked.problem);
      const before = await publicKeyOf(database.db, userId);
      const isOther = before !== undefined && before.fingerprint !== checked.fingerprint;
      return change(userId, isOther ? changed : null, async (db) => {
        await putPublicKey(db, userId, { ...checked, now });
        return keep(db, { status: "configured", fingerprint: checked.fingerprint });
      });
    },
    remove: async (userId, keep) => {
      const before = await publicKeyOf(database.db, userId);
      return change(userId, before ? removed : null, async (db) => {
        await deletePublicKey(db, userId);
        return keep(db, notConfigured);
      });
    },
    publish: (userId, published, keep) =>
      change(userId, null, async (db) => {
        if (!(await publishKey(db, userId, published)))
          throw new Refusal(409, "There is no key to publish. Set up encryption first.");
        return keep(db, { published });
      }),
  };
};
