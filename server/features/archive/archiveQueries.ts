import type { Random } from "../../../core/ports/random.ts";
import { historyMs, limitsOf, tiers } from "../../../core/tiers/tier.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";

/** An archived mail without its content. */
export interface ArchivedMailRow {
  readonly id: string;
  readonly maskId: string;
  /** Bytes. */
  readonly size: number;
  readonly read: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** Returns how many bytes a user's archive holds. */
export const getArchiveSize = async (db: Db, userId: string): Promise<number> => {
  const { size } = await db
    .selectFrom("archived_mails")
    .where("user_id", "=", userId)
    .select(({ fn }) => fn.sum<number | null>("size").as("size"))
    .executeTakeFirstOrThrow();
  return Number(size ?? 0);
};

/** Archives a mail; false when the archive would exceed `storage` bytes, also under parallel arrivals. */
export const archiveMail = async (
  db: Db,
  mail: {
    readonly userId: string;
    readonly maskId: string;
    readonly content: Uint8Array;
    readonly read: boolean;
    /** When it is deleted; null for as long as the plan keeps history. */
    readonly expiresAt: number | null;
  },
  at: { readonly now: number; readonly random: Random; readonly storage: number },
): Promise<boolean> => {
  await lockUser(db, mail.userId);
  if ((await getArchiveSize(db, mail.userId)) + mail.content.length > at.storage) return false;
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
      expires_at: mail.expiresAt,
    })
    .execute();
  return true;
};

/** A page of the archive. */
export interface ArchiveQuery {
  readonly maskId: string | undefined;
  /** Only mails older than the one with this id. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Returns a page of a user's archived mails, newest first. */
export const listArchivedMails = async (
  db: Db,
  userId: string,
  { maskId, before, limit }: ArchiveQuery,
): Promise<readonly ArchivedMailRow[]> => {
  const ofUser = db.selectFrom("archived_mails").where("user_id", "=", userId);
  const ofMask = maskId === undefined ? ofUser : ofUser.where("mask_id", "=", maskId);
  const last = before && (await ofUser.where("id", "=", before).select("created_at").executeTakeFirst());
  const older = last
    ? ofMask.where((eb) =>
        eb.or([
          eb("created_at", "<", last.created_at),
          eb.and([eb("created_at", "=", last.created_at), eb("id", "<", before ?? "")]),
        ]),
      )
    : ofMask;
  const rows = await older
    .select(["id", "mask_id as maskId", "size", "read", "created_at as createdAt", "expires_at as expiresAt"])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, read: row.read === 1 }));
};

/** Returns the content of a mail, and may mark it as read; null when the user has no mail with this id. */
export const openArchivedMail = async (
  db: Db,
  userId: string,
  id: string,
  { marksRead }: { readonly marksRead: boolean },
): Promise<Uint8Array | null> => {
  if (!marksRead) {
    const unread = await db
      .selectFrom("archived_mails")
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .select("content")
      .executeTakeFirst();
    return unread?.content ?? null;
  }
  const row = await db
    .updateTable("archived_mails")
    .set({ read: 1 })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returning("content")
    .executeTakeFirst();
  return row?.content ?? null;
};

/** Deletes a mail; false when the user has no mail with this id. */
export const deleteArchivedMailRow = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("archived_mails")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Deletes mails whose time is over, or that are older than the history of their owner's plan. */
export const pruneArchive = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("archived_mails").where("expires_at", "<", now).execute();
  for (const tier of tiers) {
    const retentionMs = historyMs(limitsOf[tier].history);
    if (retentionMs === null) continue;
    await db
      .deleteFrom("archived_mails")
      .where("created_at", "<", now - retentionMs)
      .where((eb) => eb.or([eb("keep_until", "is", null), eb("keep_until", "<", now)]))
      .where("user_id", "in", (eb) => eb.selectFrom("users").where("tier", "=", tier).select("id"))
      .execute();
  }
};
