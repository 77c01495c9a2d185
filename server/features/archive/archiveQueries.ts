import type { Random } from "../../../core/ports/random.ts";
import { historyMs, limitsOf, tiers } from "../../../core/tiers/tier.ts";
import { type KeptLimits, removeKept, takeRoom } from "../../delivery/queue/keptBytes.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";

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

/** A mail to archive. */
export interface NewArchivedMail {
  readonly userId: string;
  readonly maskId: string;
  readonly content: Uint8Array;
  readonly read: boolean;
  /** The time at which it is deleted; null for as long as the plan keeps history. */
  readonly expiresAt: number | null;
  /** The network that sent it; null where it is not limited. */
  readonly network: string | null;
}

/** Archives a mail; false when its account or network has no room, also under parallel arrivals. */
export const archiveMail = async (
  database: Pick<Database, "engine">,
  db: Db,
  { userId, maskId, content, read, expiresAt, network }: NewArchivedMail,
  { now, random, limits }: { readonly now: number; readonly random: Random; readonly limits: KeptLimits },
): Promise<boolean> => {
  const wanted = { userId, network, bytes: content.length, isArchived: true, limits };
  if ((await takeRoom(database, db, [wanted])).length > 0) return false;
  await db
    .insertInto("archived_mails")
    .values({
      id: newId(random),
      user_id: userId,
      mask_id: maskId,
      content,
      size: content.length,
      read: read ? 1 : 0,
      created_at: now,
      expires_at: expiresAt,
      network,
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

const ofArchive = ["user_id as userId", "network", "size as bytes"] as const;

/** Takes deleted mails of the archive from the counts. */
const removeArchived = (
  db: Db,
  deleted: readonly { readonly userId: string; readonly network: string | null; readonly bytes: number }[],
): Promise<void> =>
  removeKept(
    db,
    deleted.map((mail) => ({ ...mail, isArchived: true })),
  );

/** Deletes a mail in a transaction; false when the user has no mail with this id. */
export const deleteArchivedMailRow = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const deleted = await db
    .deleteFrom("archived_mails")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returning(ofArchive)
    .execute();
  await removeArchived(db, deleted);
  return deleted.length === 1;
};

/** Deletes mails whose time is over, or that are older than the history of their owner's plan. */
export const pruneArchive = async (db: Db, now: number): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const expired = await tx
      .deleteFrom("archived_mails")
      .where("expires_at", "<", now)
      .returning(ofArchive)
      .execute();
    await removeArchived(tx, expired);
  });
  for (const tier of tiers) {
    const retentionMs = historyMs(limitsOf[tier].history);
    if (retentionMs === null) continue;
    await db.transaction().execute(async (tx) => {
      const old = await tx
        .deleteFrom("archived_mails")
        .where("created_at", "<", now - retentionMs)
        .where((eb) => eb.or([eb("keep_until", "is", null), eb("keep_until", "<", now)]))
        .where("user_id", "in", (eb) => eb.selectFrom("users").where("tier", "=", tier).select("id"))
        .returning(ofArchive)
        .execute();
      await removeArchived(tx, old);
    });
  }
};
