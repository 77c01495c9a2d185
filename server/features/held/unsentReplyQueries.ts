import { maxReadBytes } from "../../../core/held/heldMail.ts";
import type { Random } from "../../../core/ports/random.ts";
import { addKept } from "../../delivery/queue/keptBytes.ts";
import type { MailSummary } from "../../mime/mailSummary.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { asBuffer } from "../../platform/spool/asBuffer.ts";
import type { Db } from "../../platform/store/database.ts";
import { newQueueId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";
import { type HeldMailKey, insertHeldMail } from "./heldQueries.ts";

/** The limits of an account's kept replies at a time; a reply beyond them is refused as before, and its server returns it. */
export const unsentLimits = { replies: 50, bytes: 25 * 1024 * 1024, bytesOfOne: maxReadBytes };

/** A reply that was refused. */
export interface NewUnsentReply extends MailSummary {
  readonly userId: string;
  readonly maskId: string;
  /** The address of the first correspondent. */
  readonly recipient: string;
  /** The local parts of the reverse addresses that it was sent to. */
  readonly localParts: readonly string[];
  /** As its owner wrote it. */
  readonly content: Uint8Array;
  /** The reason for which it was refused. */
  readonly reason: string;
}

/** A refused reply that waits for its owner. */
export interface UnsentReply extends Pick<NewUnsentReply, "localParts"> {
  readonly content: Buffer;
}

const contextOf = (id: string): string => `unsent reply ${id}`;

const hasRoom = async (db: Db, userId: string, bytes: number): Promise<boolean> => {
  const row = await db
    .selectFrom("queue")
    .where("user_id", "=", userId)
    .where("status", "=", "unsent")
    .select(({ fn }) => [fn.countAll<number>().as("replies"), fn.sum<number>("size").as("bytes")])
    .executeTakeFirstOrThrow();
  const { replies, bytes: most, bytesOfOne } = unsentLimits;
  return bytes <= bytesOfOne && Number(row.replies) < replies && Number(row.bytes ?? 0) + bytes <= most;
};

/** Keeps a refused reply, encrypted, among the held mails of its owner. Returns its id; null when there is no room for it. */
export const insertUnsentReply = async (
  db: Db,
  seal: Pick<Seal, "seal" | "sealBytes">,
  { userId, maskId, recipient, localParts, content, reason, from, subject }: NewUnsentReply,
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<string | null> => {
  await lockUser(db, userId);
  if (!(await hasRoom(db, userId, content.length))) return null;
  const id = newQueueId(random, now);
  await db
    .insertInto("queue")
    .values({
      id,
      user_id: userId,
      mask_id: maskId,
      envelope_sender: "",
      recipient,
      content: seal.sealBytes(content, contextOf(id)),
      size: content.length,
      status: "unsent",
      attempts: 0,
      next_attempt_at: now,
      lease: null,
      leased_until: 0,
      last_answer: reason,
      counted: 1,
      created_at: now,
      finished_at: null,
    })
    .execute();
  await addKept(db, [{ userId, network: null, bytes: content.length }]);
  const held = { id, userId, maskId, direction: "sent", reason: "unsent", from, subject } as const;
  await insertHeldMail(db, seal, { ...held, recipients: localParts }, now);
  return id;
};

/** Returns a refused reply of a user; null when the user has none with this id. */
export const findUnsentReply = async (
  db: Db,
  seal: Pick<Seal, "openBytes">,
  { userId, id }: HeldMailKey,
): Promise<UnsentReply | null> => {
  const row = await db
    .selectFrom("held_mails")
    .innerJoin("queue", "queue.id", "held_mails.id")
    .where("held_mails.user_id", "=", userId)
    .where("held_mails.id", "=", id)
    .where("queue.status", "=", "unsent")
    .select(["queue.content", "held_mails.recipients"])
    .executeTakeFirst();
  if (!row?.content) return null;
  return {
    content: seal.openBytes(asBuffer(row.content), contextOf(id)),
    localParts: JSON.parse(row.recipients ?? "[]") as readonly string[],
  };
};
