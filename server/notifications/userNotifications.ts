import { dayMs } from "../../core/kernel/durations.ts";
import type { Notification, NotificationPage } from "../../core/notifications/notification.ts";
import type { WhatIsRead } from "../../core/notifications/notificationEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Keep } from "../http/once.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import {
  deleteNotificationRow,
  type NotificationRow,
  newestNotifications,
  readNotifications,
} from "../store/notifications.ts";
import { lockUser } from "../store/users.ts";

/** How long a notification is kept; a user's newest 50 (NO1) longer. */
export const notificationsForMs = 90 * dayMs;

/** What a user can do with the notifications of their own, over HTTP and over the socket alike (NO1). */
export interface UserNotifications {
  /** The newest `limit` with an id above `after`, the newest first. */
  readonly list: (
    userId: string,
    wanted: { readonly after?: string | undefined; readonly limit: number },
  ) => Promise<NotificationPage>;
  /** Marks one or all as read and tells the user's pages; what is read or gone already is no error. Answers how many are unread. */
  readonly markRead: (userId: string, what: WhatIsRead, keep?: Keep<void>) => Promise<number>;
  /** Deletes one and tells the user's pages; false when the user has none of this id. */
  readonly remove: (userId: string, id: string, keep?: Keep<void>) => Promise<boolean>;
}

export interface NotificationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: Pick<EventFeed, "nudge">;
}

/** The number that an id is; undefined for what no notification can have. */
const numberOf = (id: string): number | undefined => (/^\d{1,15}$/.test(id) ? Number(id) : undefined);

/** A notification as clients know it. */
export const notificationFrom = (row: NotificationRow): Notification => ({
  id: String(row.id),
  message: row.message,
  type: row.type,
  priority: row.priority,
  timestamp: row.created_at,
  read: row.read_at !== null,
});

const unreadOf = async (db: Db, userId: string): Promise<number> =>
  (await newestNotifications(db, userId, { after: 0, limit: 1 })).unread;

export const makeUserNotifications = ({ database, clock, feed }: NotificationParts): UserNotifications => {
  const tell = (db: Db, userId: string, id: number | null, action: "read" | "deleted"): Promise<void> =>
    appendEvent(
      db,
      { userId, resource: "notifications", resourceId: id === null ? null : String(id), action },
      clock.now(),
    );

  return {
    list: async (userId, { after, limit }) => {
      const { rows, unread } = await newestNotifications(database.db, userId, {
        after: numberOf(after ?? "0") ?? 0,
        limit,
      });
      return { notifications: rows.map(notificationFrom), unread };
    },

    markRead: async (userId, what, keep) => {
      const id = "all" in what ? null : numberOf(what.notificationId);
      const unread = await database.transaction(async (db) => {
        await lockUser(db, userId);
        const isChanged = id !== undefined && (await readNotifications(db, userId, id, clock.now())) > 0;
        if (isChanged) await tell(db, userId, id, "read");
        await keep?.(db);
        return unreadOf(db, userId);
      });
      feed.nudge();
      return unread;
    },

    remove: async (userId, id, keep) => {
      const number = numberOf(id);
      if (number === undefined) return false;
      const isGone = await database.transaction(async (db) => {
        if (!(await deleteNotificationRow(db, userId, number))) return false;
        await tell(db, userId, number, "deleted");
        await keep?.(db);
        return true;
      });
      if (isGone) feed.nudge();
      return isGone;
    },
  };
};
