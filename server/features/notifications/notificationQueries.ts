import type { Selectable } from "kysely";
import type { NotificationPlace, NotificationType } from "../../../core/notifications/notification.ts";
import type { PushKind } from "../../../core/push/pushKind.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { lockUser } from "../../platform/store/users.ts";
import { announcePush } from "../pushDevices/announcePush.ts";
import type { SealedSender } from "./notificationSender.ts";
import type { NotificationsTable } from "./notificationTables.ts";

export type NotificationRow = Selectable<NotificationsTable>;

/** A message for the user's notification list (NO1); those with high or urgent priority also appear as a toast. */
export interface NewNotification {
  readonly userId: string;
  readonly type: NotificationType;
  readonly priority: "normal" | "high" | "urgent";
  readonly message: string;
  /** The held mail that it is about. */
  readonly heldId?: string;
  /** The sender of the mail that it is about. */
  readonly sender?: SealedSender;
  /** The part of the settings that it leads to. */
  readonly place?: NotificationPlace;
  /** The kind as which it is pushed to devices too; that of type "security" is, without one. */
  readonly push?: PushKind;
}

/** Pushes a notification to the devices that want its kind. */
const pushNotification = async (db: Db, notification: NewNotification, now: number): Promise<void> => {
  const { userId, type, message, heldId, place } = notification;
  const kind = notification.push ?? (type === "security" ? "security" : null);
  if (kind === null) return;
  await announcePush(db, [{ userId, kind, text: message, heldId, place }], now);
};

/**
 * Stores a notification and its event in the transaction of its cause and returns its id. The lock on the user
 * makes ids increase in commit order, so a client that has seen an id never misses a lower one.
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
      held_id: notification.heldId ?? null,
      mask_id: notification.sender?.maskId ?? null,
      sender: notification.sender?.sealed ?? null,
      place: notification.place ?? null,
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
  await pushNotification(db, notification, now);
  return id;
};

export interface NotificationRows {
  /** Newest first. */
  readonly rows: readonly NotificationRow[];
  /** All unread notifications of the user, not only of this list. */
  readonly unread: number;
}

/**
 * Returns a user's newest notifications with an id above `after` (all if `limit` is null) and the number of
 * unread ones, from one snapshot.
 */
export const findNewestNotifications = async (
  db: Db,
  userId: string,
  { after, limit }: { readonly after: number; readonly limit: number | null },
): Promise<NotificationRows> => {
  const unreadCount = db
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
  const results = await db
    .selectFrom(unreadCount.as("counted"))
    .leftJoin(newest.as("newest"), (join) => join.onTrue())
    .selectAll()
    .orderBy("newest.id", "desc")
    .execute();
  return {
    rows: results.flatMap(({ unread: _, ...row }) => (row.id === null ? [] : [row as NotificationRow])),
    unread: results[0]?.unread ?? 0,
  };
};

/** Returns one notification of a user; undefined when the user has none with that id. */
export const findNotification = (db: Db, userId: string, id: number): Promise<NotificationRow | undefined> =>
  db
    .selectFrom("notifications")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();

/** Marks one of a user's notifications as read, or all for null; returns how many were unread. */
export const markNotificationsRead = async (
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

/** Deletes one of a user's notifications; false when the user has none with that id. */
export const deleteNotificationRow = async (db: Db, userId: string, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("notifications")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Deletes notifications from before a moment, except each user's newest `kept`. */
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

/** Stores a notification unless its user got the same message within `intervalMs`; returns whether it is new. */
export const notifyOnce = async (
  db: Db,
  notification: NewNotification,
  intervalMs: number,
  now: number,
): Promise<boolean> => {
  const { userId, message } = notification;
  const row = await db
    .selectFrom("notifications")
    .where("user_id", "=", userId)
    .where("message", "=", message)
    .where("created_at", ">", now - intervalMs)
    .select("id")
    .executeTakeFirst();
  if (row) return false;
  await addNotification(db, notification, now);
  return true;
};
