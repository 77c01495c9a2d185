import { dayMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Random, randomHex } from "../../core/ports/random.ts";
import { findPublicKey } from "../encryption/publicKeyQueries.ts";
import type { MailRoute } from "../masks/mailRoute.ts";
import { addNotification, wasNotifiedSince } from "../notifications/notificationQueries.ts";
import type { Database } from "../store/database.ts";
import type { WorkerPool, WorkerPoolOptions } from "../workers/workerPool.ts";
import type { DeliveryPlan } from "./deliveryPlan.ts";
import type { EncryptionTask } from "./pgpMime.ts";

/**
 * Encrypts a mail for the owner of a route, right before it is queued. When it rejects, nothing of the mail is stored
 * and the sender is asked to retry.
 */
export type EncryptMail = (content: Uint8Array, route: MailRoute) => Promise<Uint8Array>;

/** Encrypts everything that a plan would store of the mail: the copies, the digest copies and the archived copy. */
export const encryptCopies = async (encryptMail: EncryptMail, plan: DeliveryPlan): Promise<DeliveryPlan> => {
  const { route, copies, digest, archive } = plan;
  const encrypted = new Map<Uint8Array, Promise<Uint8Array>>();
  const encryptOnce = (content: Uint8Array): Promise<Uint8Array> => {
    const pending = encrypted.get(content) ?? encryptMail(content, route);
    encrypted.set(content, pending);
    return pending;
  };
  const encryptAll = <A extends { readonly content: Uint8Array }>(list: readonly A[]): Promise<A[]> =>
    Promise.all(list.map(async (copy) => ({ ...copy, content: await encryptOnce(copy.content) })));
  const [encryptedArchive = null] = await encryptAll(archive ? [archive] : []);
  return {
    ...plan,
    copies: await encryptAll(copies),
    digest: await encryptAll(digest),
    archive: encryptedArchive,
  };
};

/** Worker threads for encryption: one for each processor of a small machine, and 60 s for the largest mail. */
export const encryptionThreads: WorkerPoolOptions = {
  module: new URL("./encryptionThread.ts", import.meta.url),
  maxThreads: 4,
  idleThreads: 1,
  timeLimitMs: 60_000,
  memoryLimitMb: 512,
};

/** Runs encryptions; the result is null when the key has expired or was revoked. */
export type EncryptionPool = WorkerPool<EncryptionTask, Uint8Array | null>;

/**
 * Thrown when the owner's key has expired or was revoked: the mail is refused temporarily and never sent unencrypted.
 */
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
 * Creates the function that encrypts each mail to its owner's key before anything of it is stored (D40). Mail of an
 * owner without a key is returned unchanged. Rejects with `CannotEncrypt` and notifies the owner once a day when the
 * key has expired or was revoked; rejects otherwise when encryption exceeds its limit of time or memory.
 */
export const createEncryptMail = ({
  database,
  pool,
  clock,
  random,
  feed,
}: MailEncryptionDeps): EncryptMail => {
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
  return async (content, { userId }) => {
    const key = await findPublicKey(database.db, userId);
    if (!key) return content;
    const boundary = `=_bauta_${randomHex(random, 12)}`;
    const encrypted = await pool.run({ content, publicKey: key.public_key, boundary }, userId);
    if (encrypted) return encrypted;
    await notifyOwner(userId);
    throw new CannotEncrypt("a mail could not be encrypted");
  };
};
