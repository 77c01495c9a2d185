import { copyChunks, type OutgoingCopy, toBuffer } from "../../delivery/outgoingCopy.ts";
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
