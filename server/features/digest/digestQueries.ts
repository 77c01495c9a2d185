import type { Random } from "../../../core/ports/random.ts";
import { removeKept } from "../../delivery/queue/keptBytes.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";

/** A mail that waits for the digest of its hour, or of its day. */
export interface DigestMail {
  readonly userId: string;
  readonly maskId: string;
  readonly recipient: string;
  readonly content: Uint8Array;
  readonly isDaily: boolean;
  /** The network that sent it; null where it is not limited. */
  readonly network: string | null;
}

/** Adds a mail, which the caller has counted, to the next digest. */
export const addDigestMail = async (
  db: Db,
  mail: DigestMail,
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<void> => {
  await db
    .insertInto("digest_mails")
    .values({
      id: newId(random),
      user_id: mail.userId,
      mask_id: mail.maskId,
      recipient: mail.recipient,
      content: mail.content,
      size: mail.content.length,
      daily: mail.isDaily ? 1 : 0,
      created_at: now,
      network: mail.network,
    })
    .execute();
};

/** A user and recipient with waiting mails. */
export interface DueDigest {
  readonly userId: string;
  readonly recipient: string;
}

/** The kind of the digests, with mails from before a moment. */
export interface DigestBatch {
  readonly isDaily: boolean;
  readonly before: number;
}

/** Returns the digests with mails of a batch. */
export const listDueDigests = (db: Db, { isDaily, before }: DigestBatch): Promise<DueDigest[]> =>
  db
    .selectFrom("digest_mails")
    .where("daily", "=", isDaily ? 1 : 0)
    .where("created_at", "<", before)
    .groupBy(["user_id", "recipient"])
    .select(["user_id as userId", "recipient"])
    .orderBy("user_id")
    .orderBy("recipient")
    .execute();

/** Removes and returns the mails of a batch, oldest first; concurrent calls never get the same mail. */
export const takeDigestMails = async (
  db: Db,
  { userId, recipient }: DueDigest,
  { isDaily, before }: DigestBatch,
  limits: { readonly mails: number; readonly bytes: number },
): Promise<readonly Uint8Array[]> => {
  const waiting = await db
    .selectFrom("digest_mails")
    .where("user_id", "=", userId)
    .where("recipient", "=", recipient)
    .where("daily", "=", isDaily ? 1 : 0)
    .where("created_at", "<", before)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limits.mails)
    .select(["id", "size"])
    .execute();
  let bytes = 0;
  const ids: string[] = [];
  for (const { id, size } of waiting) {
    bytes += size;
    if (ids.length > 0 && bytes > limits.bytes) break;
    ids.push(id);
  }
  if (ids.length === 0) return [];
  const taken = await db
    .deleteFrom("digest_mails")
    .where("id", "in", ids)
    .returning(["content", "created_at", "id", "network", "size"])
    .execute();
  await removeKept(
    db,
    taken.map(({ network, size }) => ({ userId, network, bytes: size })),
  );
  return taken
    .toSorted((left, right) => left.created_at - right.created_at || (left.id < right.id ? -1 : 1))
    .map(({ content }) => content);
};
