import { dayMs } from "../../../core/kernel/durations.ts";
import { type MailboxName, mailboxName } from "../../../core/mail/mailboxName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import type { Database } from "../../platform/store/database.ts";
import {
  CannotEncrypt,
  type Encrypt,
  type EncryptionPool,
  type FindEncryption,
} from "../../relay/encrypt/encryptCopies.ts";
import { notifyOnce } from "../notifications/notificationQueries.ts";

const unusableKeyMessage = (email: string): string =>
  email === ""
    ? "Your mail cannot be encrypted: the key has expired or was revoked. Senders retry later. Set up a new key in Settings."
    : `Mail to ${email} cannot be encrypted: its key has expired or was revoked. Senders retry later. Replace the key in Settings.`;
const noticeIntervalMs = dayMs;

export interface MailEncryptionDeps {
  readonly database: Database;
  readonly pool: Pick<EncryptionPool, "run">;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: { readonly wake: () => void };
  readonly publicUrl: string;
}

/** The keys of a mailbox. */
interface MailboxKeys {
  readonly mailbox: MailboxName;
  readonly email: string;
  readonly keys: readonly string[];
}

interface KeyRow {
  /** Empty for the key of the account. */
  readonly email: string;
  readonly public_key: string;
}

const groupKeys = (rows: readonly KeyRow[]): readonly MailboxKeys[] =>
  [...Map.groupBy(rows, (row) => mailboxName(row.email))].map(([mailbox, keys]) => ({
    mailbox,
    email: keys[0]?.email ?? "",
    keys: keys.map((key) => key.public_key),
  }));

/** Stands for the key of the account, which recipients without a key of their own share. */
const accountMailbox = mailboxName("");

const findKeys = `
  select '' as email, public_key from public_keys where user_id = $1
  union all
  select email, public_key from destination_keys
  join destinations on destinations.id = destination_id where destination_keys.user_id = $1`;

/**
 * Creates the function that finds the keys for an owner's mail, which is encrypted before anything is stored (D40): a
 * destination's own keys, or else that of the account. Encryption rejects with `CannotEncrypt` and notifies the owner once a
 * day when all keys of a mailbox have expired or were revoked; rejects otherwise beyond its limit of time or memory.
 */
export const createFindEncryption = ({
  database,
  pool,
  clock,
  random,
  feed,
  publicUrl,
}: MailEncryptionDeps): FindEncryption => {
  const readAt = `${publicUrl}/#settings/security/encryption`;
  const notifyOwner = async (userId: string, message: string): Promise<void> => {
    const notification = { userId, type: "security", priority: "urgent", message } as const;
    await database.transaction((db) => notifyOnce(db, notification, noticeIntervalMs, clock.now()));
    feed.wake();
  };
  const encryptTo =
    (userId: string, mailboxes: readonly MailboxKeys[]): Encrypt =>
    async (content) => {
      const boundary = `=_bauta_${randomHex(random, 12)}`;
      const [publicKey = "", ...otherKeys] = mailboxes.map(({ keys }) => keys);
      const encrypted = await pool.run({ content, publicKey, otherKeys, boundary, readAt }, userId);
      if (encrypted) return encrypted;
      await notifyOwner(userId, unusableKeyMessage(mailboxes[0]?.email ?? ""));
      throw new CannotEncrypt("a mail could not be encrypted");
    };
  return async ({ userId }) => {
    const rows = await database.engine.readCached<KeyRow>(findKeys, [userId]);
    if (rows.length === 0) return null;
    const byMailbox = new Map(groupKeys(rows).map((one) => [one.mailbox, one]));
    const keyOf = (mailbox: MailboxName): MailboxKeys | undefined =>
      byMailbox.get(mailbox) ?? byMailbox.get(accountMailbox);
    const known = new Map<string, Encrypt>();
    return (recipients) => {
      const mailboxes = recipients.length === 0 ? [accountMailbox] : recipients.map(mailboxName);
      const used = [...new Set(mailboxes.flatMap((mailbox) => keyOf(mailbox) ?? []))];
      if (used.length === 0) return null;
      const name = used.map((key) => key.mailbox).join(" ");
      const encrypt = known.get(name) ?? encryptTo(userId, used);
      known.set(name, encrypt);
      return encrypt;
    };
  };
};

declare module "../../context/serverContext.ts" {
  interface ServerContext {
    /** Finds the keys to which an owner's mail is encrypted. */
    readonly findEncryption: FindEncryption;
  }
}
