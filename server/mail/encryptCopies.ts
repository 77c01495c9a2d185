import { dayMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Random, randomHex } from "../../core/ports/random.ts";
import { copyChunks, type OutgoingCopy, toBuffer } from "../delivery/outgoingCopy.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import { addNotification, wasNotifiedSince } from "../notifications/notificationQueries.ts";
import type { Database } from "../store/database.ts";
import type { WorkerPool, WorkerPoolOptions } from "../workers/workerPool.ts";
import { copyCount, type DeliveryPlan } from "./deliveryPlan.ts";
import type { EncryptionTask } from "./pgpMime.ts";

/** Encrypts one mail for a route's owner; rejects with `CannotEncrypt` when the key cannot be used. */
export type Encrypt = (content: Uint8Array) => Promise<Uint8Array>;

/** Returns the encryption for a route's owner; null when mail is forwarded unencrypted. */
export type FindEncryption = (route: MailRoute) => Promise<Encrypt | null>;

/**
 * Encrypts all copies of a plan, also for the digest and the archive. When it rejects, nothing of the mail is
 * stored and the sender is asked to retry.
 */
export const encryptCopies = async (
  findEncryption: FindEncryption,
  plan: DeliveryPlan,
): Promise<DeliveryPlan> => {
  const { route, copies, held, digest, archive } = plan;
  const encrypt = copyCount(plan) === 0 ? null : await findEncryption(route);
  if (!encrypt) return plan;
  const encrypted = new Map<Uint8Array, Promise<Uint8Array>>();
  /** Copies of one mask have the same bytes; `same` is the cache key. */
  const encryptOnce = (same: Uint8Array, read: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const pending = encrypted.get(same) ?? read().then(encrypt);
    encrypted.set(same, pending);
    return pending;
  };
  const encryptWhole = async <A extends { readonly content: Uint8Array }>(whole: A): Promise<A> => ({
    ...whole,
    content: await encryptOnce(whole.content, async () => whole.content),
  });
  const encryptCopy = async (copy: OutgoingCopy): Promise<OutgoingCopy> => ({
    recipient: copy.recipient,
    head: await encryptOnce(copy.head, () => toBuffer(copyChunks(copy))),
    body: null,
  });
  return {
    ...plan,
    copies: await Promise.all(copies.map(encryptCopy)),
    held: held && { ...held, copy: await encryptCopy(held.copy), subject: null },
    digest: await Promise.all(digest.map(encryptWhole)),
    archive: archive && (await encryptWhole(archive)),
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

const unusableKeyMessage =
  "Your mail cannot be encrypted: the key has expired or was revoked. Senders are asked to try again later. Set up a new key in Settings.";
const noticeIntervalMs = dayMs;

export interface MailEncryptionDeps {
  readonly database: Database;
  readonly pool: Pick<EncryptionPool, "run">;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: { readonly wake: () => void };
}

/**
 * Creates the function that finds the key for an owner's mail, which is encrypted before anything is stored
 * (D40). Encryption rejects with `CannotEncrypt` and notifies the owner once a day when the key has expired or
 * was revoked; rejects otherwise beyond its limit of time or memory.
 */
export const createFindEncryption = ({
  database,
  pool,
  clock,
  random,
  feed,
}: MailEncryptionDeps): FindEncryption => {
  const notifyOwner = async (userId: string): Promise<void> => {
    await database.transaction(async (db) => {
      const now = clock.now();
      if (await wasNotifiedSince(db, userId, unusableKeyMessage, now - noticeIntervalMs)) return;
      await addNotification(
        db,
        { userId, type: "security", priority: "urgent", message: unusableKeyMessage },
        now,
      );
    });
    feed.wake();
  };
  return async ({ userId }) => {
    const [key] = await database.engine.read<{ public_key: string }>(
      "select public_key from public_keys where user_id = $1",
      [userId],
    );
    if (!key) return null;
    return async (content) => {
      const boundary = `=_bauta_${randomHex(random, 12)}`;
      const encrypted = await pool.run({ content, publicKey: key.public_key, boundary }, userId);
      if (encrypted) return encrypted;
      await notifyOwner(userId);
      throw new CannotEncrypt("a mail could not be encrypted");
    };
  };
};
