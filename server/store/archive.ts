import type { Random } from "../../core/ports/random.ts";
import { historyMs, limitsOf, tiers } from "../../core/tiers/tier.ts";
import type { Db } from "./database.ts";
import { newId } from "./id.ts";
import { lockUser } from "./users.ts";

/** A mail in the archive, without its content. */
export interface ArchivedMailRow {
  readonly id: string;
  readonly maskId: string;
  /** Bytes. */
  readonly size: number;
  readonly read: boolean;
  readonly createdAt: number;
}

/** How many bytes a user's archive holds. */
export const archiveSize = async (db: Db, userId: string): Promise<number> => {
  const { size } = await db
    .selectFrom("archived_mails")
    .where("user_id", "=", userId)
    .select(({ fn }) => fn.sum<number | null>("size").as("size"))
    .executeTakeFirstOrThrow();
  return Number(size ?? 0);
};

/** Keeps a mail for its owner; false when that would be more than `storage` bytes, also under parallel arrivals. */
export const keepInArchive = async (
  db: Db,
  mail: {
    readonly userId: string;
    readonly maskId: string;
    readonly content: Uint8Array;
    readonly read: boolean;
  },
  at: { readonly now: number; readonly random: Random; readonly storage: number },
): Promise<boolean> => {
  await lockUser(db, mail.userId);
  if ((await archiveSize(db, mail.userId)) + mail.content.length > at.storage) return false;
  await db
    .insertInto("archived_mails")
    .values({
      id: newId(at.random),
      user_id: mail.userId,
      mask_id: mail.maskId,
      content: mail.content,
      size: mail.content.length,
      read: mail.read ? 1 : 0,
      created_at: at.now,
    })
    .execute();
  return true;
};

/** What of an archive is asked for. */
export interface ArchiveQuery {
  readonly maskId: string | undefined;
  /** Only those older than the one of this id. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** A user's archived mails, the newest first. */
export const archivedMails = async (
  db: Db,
  userId: string,
  { maskId, before, limit }: ArchiveQuery,
): Promise<readonly ArchivedMailRow[]> => {
  const mine = db.selectFrom("archived_mails").where("user_id", "=", userId);
  const ofMask = maskId === undefined ? mine : mine.where("mask_id", "=", maskId);
  const last = before && (await mine.where("id", "=", before).select("created_at").executeTakeFirst());
  const older = last
    ? ofMask.where((eb) =>
        eb.or([
          eb("created_at", "<", last.created_at),
          eb.and([eb("created_at", "=", last.created_at), eb("id", "<", before ?? "")]),
        ]),
      )
    : ofMask;
  const rows = await older
    .select(["id", "mask_id as maskId", "size", "read", "created_at as createdAt"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, read: row.read === 1 }));
};

/** The mail itself, which counts as read from then on; null when the user has none of this id. */
export const openArchived = async (db: Db, userId: string, id: string): Promise<Uint8Array | null> => {
  const row = await db
    .updateTable("archived_mails")
    .set({ read: 1 })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returning("content")
    .executeTakeFirst();
  return row?.content ?? null;
};

/** Deletes one; false when the user has none of this id. */
export const deleteArchived = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("archived_mails")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Forgets what has been kept for as long as each tier's history goes back. */
export const pruneArchive = async (db: Db, now: number): Promise<void> => {
  for (const tier of tiers) {
    const kept = historyMs(limitsOf[tier].history);
    if (kept === null) continue;
    await db
      .deleteFrom("archived_mails")
      .where("created_at", "<", now - kept)
      .where((eb) => eb.or([eb("keep_until", "is", null), eb("keep_until", "<", now)]))
      .where("user_id", "in", (eb) => eb.selectFrom("users").where("tier", "=", tier).select("id"))
      .execute();
  }
};
