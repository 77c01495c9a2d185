import type { Selectable } from "kysely";
import type { Db } from "./database.ts";
import { appendEvent } from "./events.ts";
import type { NotificationsTable } from "./mailTables.ts";
import { lockUser } from "./users.ts";

export type NotificationRow = Selectable<NotificationsTable>;

/** A sentence for the owner's list of notifications (NO1); high and urgent ones show as a toast besides. */
export interface NewNotification {
  readonly userId: string;
  readonly type: "info" | "warning" | "error" | "security";
  readonly priority: "normal" | "high" | "urgent";
  readonly message: string;
}

/**
 * Records a notification and its event in the transaction of its cause; answers its id. Until the transaction ends
 * nobody else can write one for this user, so that whoever has seen an id will never see a lower one appear.
 */
export const addNotification = async (
  db: Db,
  notification: NewNotification,
  now: number,
): Promise<number> => {
  await lockUser(db, notification.userId);
  const { id } = await db
    .insertInto("notifications")
    .values({
      user_id: notification.userId,
      type: notification.type,
      priority: notification.priority,
      message: notification.message,
      created_at: now,
      read_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await appendEvent(
    db,
    { userId: notification.userId, resource: "notifications", resourceId: String(id), action: "created" },
    now,
  );
  return id;
};

export interface NotificationRows {
  /** The newest first. */
  readonly rows: readonly NotificationRow[];
  /** How many the user has not read, listed or not. */
  readonly unread: number;
}

/** A user's newest notifications with an id above `after` (all of them where `limit` is null), and how many are unread, at one and the same moment. */
export const newestNotifications = async (
  db: Db,
  userId: string,
  { after, limit }: { readonly after: number; readonly limit: number | null },
): Promise<NotificationRows> => {
  const counted = db
    .selectFrom("notifications")
    .where("user_id", "=", userId)
    .where("read_at", "is", null)
    .select(({ fn }) => fn.countAll<number>().as("unread"));
  const newest = db
    .selectFrom("notifications")
    .where("user_id", "=", userId)
    .where("id", ">", after)
    .orderBy("id", "desc")
    .$if(limit !== null, (rows) => rows.limit(limit as number))
    .selectAll();
  const found = await db
    .selectFrom(counted.as("counted"))
    .leftJoin(newest.as("newest"), (join) => join.onTrue())
    .selectAll()
    .orderBy("newest.id", "desc")
    .execute();
  return {
    rows: found.flatMap(({ unread: _, ...row }) => (row.id === null ? [] : [row as NotificationRow])),
    unread: found[0]?.unread ?? 0,
  };
};

/** One notification of a user; undefined when they have none of that id. */
export const notificationOf = (db: Db, userId: string, id: number): Promise<NotificationRow | undefined> =>
  db
    .selectFrom("notifications")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();

/** Marks one of a user's notifications as read, or all for null; answers how many were not read before. */
export const readNotifications = async (
  db: Db,
  userId: string,
  id: number | null,
  now: number,
): Promise<number> => {
  const unread = db
    .updateTable("notifications")
    .set({ read_at: now })
    .where("user_id", "=", userId)
    .where("read_at", "is", null);
  const { numUpdatedRows } = await (id === null ? unread : unread.where("id", "=", id)).executeTakeFirst();
  return Number(numUpdatedRows);
};

/** Deletes one of a user's notifications; false when they have none of that id. */
export const deleteNotificationRow = async (db: Db, userId: string, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("notifications")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Forgets what was written before a time, except each user's newest `kept`. */
export const pruneNotifications = async (
  db: Db,
  { before, kept }: { readonly before: number; readonly kept: number },
): Promise<void> => {
  await db
    .deleteFrom("notifications")
    .where("created_at", "<", before)
    .where(
      ({ selectFrom }) =>
        selectFrom("notifications as newer")
          .whereRef("newer.user_id", "=", "notifications.user_id")
          .whereRef("newer.id", ">", "notifications.id")
          .select(({ fn }) => fn.countAll<number>().as("n")),
      ">=",
      kept,
    )
    .execute();
};

/** Whether a user was told this since then. */
export const notifiedSince = async (
  db: Db,
  userId: string,
  message: string,
  since: number,
): Promise<boolean> => {
  const row = await db
    .selectFrom("notifications")
    .where("user_id", "=", userId)
    .where("message", "=", message)
    .where("created_at", ">", since)
    .select("id")
    .executeTakeFirst();
  return row !== undefined;
};
