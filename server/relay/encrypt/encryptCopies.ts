import { dayMs } from "../../../core/kernel/durations.ts";
import { type MailboxName, mailboxName } from "../../../core/mail/mailboxName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import { copyChunks, type OutgoingCopy, toBuffer } from "../../delivery/outgoingCopy.ts";
import { addNotification, wasNotifiedSince } from "../../features/notifications/notificationQueries.ts";
import type { Database } from "../../platform/store/database.ts";
import type { WorkerPool, WorkerPoolOptions } from "../../platform/workers/workerPool.ts";
import { copyCount, type HeldCopy, type MailDecision } from "../decision/mailDecision.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { EncryptionTask } from "./pgpMime.ts";

/** Encrypts one mail; rejects with `CannotEncrypt` when a key cannot be used. */
export type Encrypt = (content: Uint8Array) => Promise<Uint8Array>;

/**
 * Returns the encryption that all of these recipients can decrypt, without recipients that of the account; null when
 * none of them has a key. The same keys have the same function.
 */
export type EncryptFor = (recipients: readonly string[]) => Encrypt | null;

/** Returns the encryption for a route's owner; null when all mail is forwarded unencrypted. */
export type FindEncryption = (route: Pick<MailRoute, "userId">) => Promise<EncryptFor | null>;

/** Splits what is held: recipients with a key share a copy, those without one another. */
const splitHeld = (encryptFor: EncryptFor, held: HeldCopy): readonly HeldCopy[] =>
  [true, false].flatMap((hasKey) => {
    const recipients = held.recipients.filter((one) => (encryptFor([one]) !== null) === hasKey);
    const [recipient] = recipients;
    return recipient === undefined ? [] : [{ ...held, recipients, copy: { ...held.copy, recipient } }];
  });

/**
 * Encrypts all copies of a decision, also for the digest and the archive, each to the key of its recipient. When it
 * rejects, nothing of the mail is stored and the sender is asked to retry.
 */
export const encryptCopies = async (
  findEncryption: FindEncryption,
  decided: MailDecision,
): Promise<MailDecision> => {
  const { route, copies, held, digest, archive } = decided;
  const encryptFor = copyCount(decided) === 0 ? null : await findEncryption(route);
  if (!encryptFor) return decided;
  const encrypted = new Map<Encrypt, Map<Uint8Array, Promise<Uint8Array>>>();
  /** Copies of one mask have the same bytes; `same` is the cache key. */
  const encryptOnce = (
    encrypt: Encrypt,
    same: Uint8Array,
    read: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> => {
    const known = encrypted.get(encrypt) ?? new Map<Uint8Array, Promise<Uint8Array>>();
    const pending = known.get(same) ?? read().then(encrypt);
    encrypted.set(encrypt, known.set(same, pending));
    return pending;
  };
  const encryptWhole = async (content: Uint8Array, recipients: readonly string[]): Promise<Uint8Array> => {
    const encrypt = encryptFor(recipients);
    return encrypt ? encryptOnce(encrypt, content, async () => content) : content;
  };
  const encryptCopy = async (copy: OutgoingCopy, recipients: readonly string[]): Promise<OutgoingCopy> => {
    const encrypt = encryptFor(recipients);
    if (!encrypt) return copy;
    const head = await encryptOnce(encrypt, copy.head, () => toBuffer(copyChunks(copy)));
    return { recipient: copy.recipient, head, body: null };
  };
  const encryptHeld = async (one: HeldCopy): Promise<HeldCopy> => {
    const copy = await encryptCopy(one.copy, one.recipients);
    return copy === one.copy ? one : { ...one, copy, subject: null };
  };
  return {
    ...decided,
    copies: await Promise.all(copies.map((copy) => encryptCopy(copy, [copy.recipient]))),
    held: await Promise.all(held.flatMap((one) => splitHeld(encryptFor, one)).map(encryptHeld)),
    digest: await Promise.all(
      digest.map(async ({ recipient, content, isDaily }) => ({
        recipient,
        isDaily,
        content: await encryptWhole(content, [recipient]),
      })),
    ),
    archive: archive && {
      ...archive,
      content: await encryptWhole(archive.content, []),
      ifFull: await encryptWhole(archive.ifFull, [route.destination]),
    },
  };
};

/** One thread per processor of a small machine, and 60 s for the largest mail. */
export const encryptionThreads: WorkerPoolOptions = {
  module: new URL("./encryptionThread.ts", import.meta.url),
  maxThreads: 4,
  idleThreads: 1,
  timeLimitMs: 60_000,
  memoryLimitMb: 512,
};

/** Runs encryptions; null when the key has expired or was revoked. */
export type EncryptionPool = WorkerPool<EncryptionTask, Uint8Array | null>;

/** Thrown when the key has expired or was revoked: the mail is refused temporarily, never sent unencrypted. */
export class CannotEncrypt extends Error {}

const unusableKeyMessage = (email: string): string =>
  email === ""
    ? "Your mail cannot be encrypted: the key has expired or was revoked. Senders are asked to try again later. Set up a new key in Settings."
    : `Mail to ${email} cannot be encrypted: its key has expired or was revoked. Senders are asked to try again later. Replace the key in Settings.`;
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
    await database.transaction(async (db) => {
      const now = clock.now();
      if (await wasNotifiedSince(db, userId, message, now - noticeIntervalMs)) return;
      await addNotification(db, { userId, type: "security", priority: "urgent", message }, now);
    });
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

/**
 * Creates the function that encrypts a mail to its owner's address with the key for it. The mail is unchanged where there
 * is no key; null when the key cannot be used.
 */
export const createEncryptToOwner =
  (findEncryption: FindEncryption) =>
  async (
    { userId, email }: { readonly userId: string; readonly email: string },
    content: Uint8Array,
  ): Promise<Uint8Array | null> => {
    const encrypt = (await findEncryption({ userId }))?.([email]);
    if (!encrypt) return content;
    return encrypt(content).catch((error: unknown) => {
      if (error instanceof CannotEncrypt) return null;
      throw error;
    });
  };
