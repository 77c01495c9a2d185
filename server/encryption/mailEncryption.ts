import { dayMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Random, randomHex } from "../../core/ports/random.ts";
import type { EncryptMail } from "../relay/encryptCopies.ts";
import type { Database } from "../store/database.ts";
import { addNotification, notifiedSince } from "../store/notifications.ts";
import { publicKeyOf } from "../store/publicKeys.ts";
import type { WorkerPool, WorkerSettings } from "../workers/workerPool.ts";
import type { ClearMail } from "./encryptedMail.ts";

/** Where mail is encrypted: a thread for each processor of a small machine, 60 s for the largest mail. */
export const encryptionThreads: WorkerSettings = {
  module: new URL("./encryptionThread.ts", import.meta.url),
  mostThreads: 4,
  spareThreads: 1,
  timeLimitMs: 60_000,
  memoryLimitMb: 512,
};

/** Answers null where the key does not serve any more. */
export type EncryptionPool = WorkerPool<ClearMail, Uint8Array | null>;

/** A key does not serve any more: its owner's mail waits, it never goes out in the clear. */
export class CannotEncrypt extends Error {}

const notice =
  "Your mail cannot be encrypted: the key has expired or was revoked. Senders are asked to try again later. Set up a new key in Settings.";
const noticeEachMs = dayMs;

export interface MailEncryptionParts {
  readonly database: Database;
  readonly pool: Pick<EncryptionPool, "run">;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: { readonly nudge: () => void };
}

/**
 * Makes what encrypts each mail to its owner's key before it is kept anywhere (D40). Mail of an owner without a key
 * goes on as it is; where the key does not serve any more it rejects with `CannotEncrypt` and tells the owner, once a day.
 * Rejects otherwise when encrypting took too long or too much memory.
 */
export const makeMailEncryption = ({
  database,
  pool,
  clock,
  random,
  feed,
}: MailEncryptionParts): EncryptMail => {
  const complain = async (userId: string): Promise<void> => {
    await database.transaction(async (db) => {
      const now = clock.now();
      if (await notifiedSince(db, userId, notice, now - noticeEachMs)) return;
      await addNotification(db, { userId, type: "security", priority: "urgent", message: notice }, now);
    });
    feed.nudge();
  };
  return async (content, { userId }) => {
    const key = await publicKeyOf(database.db, userId);
    if (!key) return content;
    const boundary = `=_bauta_${randomHex(random, 12)}`;
    const encrypted = await pool.run({ content, publicKey: key.public_key, boundary }, userId);
    if (encrypted) return encrypted;
    await complain(userId);
    throw new CannotEncrypt("a mail could not be encrypted");
  };
};
