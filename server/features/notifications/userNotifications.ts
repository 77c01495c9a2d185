import { dayMs } from "../../../core/kernel/durations.ts";
import type { Notification, NotificationPage } from "../../../core/notifications/notification.ts";
import type { ReadTarget } from "../../../core/notifications/notificationEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { lockUser } from "../../platform/store/users.ts";
import {
  deleteNotificationRow,
  findNewestNotifications,
  markNotificationsRead,
  type NotificationRow,
} from "./notificationQueries.ts";
import { openSender } from "./notificationSender.ts";

/** How long a notification is kept; a user's newest 50 (NO1) are kept longer. */
export const notificationRetentionMs = 90 * dayMs;

/** A user's notifications, as HTTP and the socket offer them (NO1). */
export interface UserNotifications {
  /** Returns the newest `limit` notifications with an id above `after`, newest first. */
  readonly list: (
    userId: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ) => Promise<NotificationPage>;
  /** Marks one or all as read and announces it; read or deleted ids are no error. Returns how many are unread. */
  readonly markRead: (userId: string, what: ReadTarget, keep?: RecordAnswer<void>) => Promise<number>;
  /** Deletes one and announces that; false when the user has none with this id. */
  readonly remove: (userId: string, id: string, keep?: RecordAnswer<void>) => Promise<boolean>;
}

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

export const createUserNotifications = ({
  database,
  seal,
  clock,
  feed,
}: Pick<ServerContext, "database" | "seal" | "clock" | "feed">): UserNotifications => {
  const recordChange = (
    db: Db,
    userId: string,
    id: number | null,
    action: "read" | "deleted",
  ): Promise<void> =>
    appendEvent(
      db,
      { userId, resource: "notifications", resourceId: id === null ? null : String(id), action },
      clock.now(),
    );

  return {
    list: async (userId, { after, limit }) => {
      const { rows, unread } = await findNewestNotifications(database.db, userId, {
        after: parseId(after ?? "0") ?? 0,
        limit,
      });
      return { notifications: rows.map((row) => toNotification(row, seal)), unread };
    },

    markRead: async (userId, what, keep) => {
      const id = "all" in what ? null : parseId(what.notificationId);
      const unread = await database.transaction(async (db) => {
        await lockUser(db, userId);
        const isChanged = id !== undefined && (await markNotificationsRead(db, userId, id, clock.now())) > 0;
        if (isChanged) await recordChange(db, userId, id, "read");
        await keep?.(db);
        return countUnread(db, userId);
      });
      feed.wake();
      return unread;
    },

    remove: async (userId, id, keep) => {
      const number = parseId(id);
      if (number === undefined) return false;
      const isGone = await database.transaction(async (db) => {
        if (!(await deleteNotificationRow(db, userId, number))) return false;
        await recordChange(db, userId, number, "deleted");
        await keep?.(db);
        return true;
      });
      if (isGone) feed.wake();
      return isGone;
    },
  };
};
