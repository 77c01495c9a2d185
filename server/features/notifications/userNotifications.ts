import { dayMs } from "../../../core/kernel/durations.ts";
import type { Notification, NotificationPage } from "../../../core/notifications/notification.ts";
import type { ReadTarget } from "../../../core/notifications/notificationEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { lockUser } from "../../platform/store/users.ts";
import {
  deleteNotificationRow,
  findNewestNotifications,
  markNotificationsRead,
  type NotificationRow,
} from "./notificationQueries.ts";
import { openSender } from "./notificationSender.ts";

/** The time for which a notification is kept; a user's newest 50 (NO1) are kept longer. */
export const notificationRetentionMs = 90 * dayMs;

const parseId = (id: string): number | undefined => (/^\d{1,15}$/.test(id) ? Number(id) : undefined);

/** Converts a row to the notification that clients receive. */
export const toNotification = (row: NotificationRow, seal: Pick<Seal, "open">): Notification => ({
  id: String(row.id),
  message: row.message,
  type: row.type,
  priority: row.priority,
  timestamp: row.created_at,
  read: row.read_at !== null,
  ...(row.held_id === null ? {} : { heldId: row.held_id }),
  ...(row.place === null ? {} : { place: row.place }),
  ...openSender(seal, row),
});

const countUnread = async (db: Db, userId: string): Promise<number> =>
  (await findNewestNotifications(db, userId, { after: 0, limit: 1 })).unread;

const recordChange = (
  tx: Db,
  {
    userId,
    id,
    action,
  }: { readonly userId: string; readonly id: number | null; readonly action: "read" | "deleted" },
  now: number,
): Promise<void> =>
  appendEvent(
    tx,
    { userId, resource: "notifications", resourceId: id === null ? null : String(id), action },
    now,
  );

/** Returns the newest `limit` notifications with an id above `after`, newest first (NO1). */
export const listNotificationPage = async (
  { seal }: Pick<ServerContext, "seal">,
  db: Db,
  userId: string,
  { after = "0", limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<NotificationPage> => {
  const { rows, unread } = await findNewestNotifications(db, userId, { after: parseId(after) ?? 0, limit });
  return { notifications: rows.map((row) => toNotification(row, seal)), unread };
};

/** Marks one or all as read and announces it; read or deleted ids are no error. Returns how many are unread. */
export const markRead = async (
  { clock }: Pick<ServerContext, "clock">,
  tx: Db,
  userId: string,
  what: ReadTarget,
): Promise<number> => {
  const id = "all" in what ? null : parseId(what.notificationId);
  const now = clock.now();
  await lockUser(tx, userId);
  const isChanged = id !== undefined && (await markNotificationsRead(tx, userId, id, now)) > 0;
  if (isChanged) await recordChange(tx, { userId, id, action: "read" }, now);
  return countUnread(tx, userId);
};

/** Deletes one and announces that; false when the user has none with this id. */
export const removeNotification = async (
  { clock }: Pick<ServerContext, "clock">,
  tx: Db,
  userId: string,
  notificationId: string,
): Promise<boolean> => {
  const id = parseId(notificationId);
  if (id === undefined || !(await deleteNotificationRow(tx, userId, id))) return false;
  await recordChange(tx, { userId, id, action: "deleted" }, clock.now());
  return true;
};
