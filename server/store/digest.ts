import type { Random } from "../../core/ports/random.ts";
import type { Db } from "./database.ts";
import { newId } from "./id.ts";

/** A mail that waits for the hourly one. */
export interface WaitingMail {
  readonly userId: string;
  readonly maskId: string;
  readonly recipient: string;
  readonly content: Uint8Array;
}

/** Puts a mail to those that leave with the next hourly one. */
export const addToDigest = async (
  db: Db,
  mail: WaitingMail,
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
      created_at: now,
    })
    .execute();
};

/** Whose mails wait, and where they go. */
export interface DueDigest {
  readonly userId: string;
  readonly recipient: string;
}

/** Those for whom something has come before then. */
export const dueDigests = (db: Db, before: number): Promise<DueDigest[]> =>
  db
    .selectFrom("digest_mails")
    .where("created_at", "<", before)
    .groupBy(["user_id", "recipient"])
    .select(["user_id as userId", "recipient"])
    .orderBy("user_id")
    .orderBy("recipient")
    .execute();

/** Takes what has come before then, the oldest first: of two that take at the same time one gets each mail. */
export const takeDigest = async (
  db: Db,
  { userId, recipient }: DueDigest,
  before: number,
  most: { readonly mails: number; readonly bytes: number },
): Promise<readonly Uint8Array[]> => {
  const waiting = await db
    .selectFrom("digest_mails")
    .where("user_id", "=", userId)
    .where("recipient", "=", recipient)
    .where("created_at", "<", before)
    .orderBy("created_at")
    .orderBy("id")
    .limit(most.mails)
    .select(["id", "size"])
    .execute();
  let bytes = 0;
  const ids: string[] = [];
  for (const { id, size } of waiting) {
    bytes += size;
    if (ids.length > 0 && bytes > most.bytes) break;
    ids.push(id);
  }
  if (ids.length === 0) return [];
  const taken = await db
    .deleteFrom("digest_mails")
    .where("id", "in", ids)
    .returning(["content", "created_at", "id"])
    .execute();
  return taken
    .toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))
    .map(({ content }) => content);
};
