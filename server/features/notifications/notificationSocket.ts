import { notificationHistory } from "../../../core/notifications/notification.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { HandleFeatureMessage } from "../../platform/socket/handleMessage.ts";
import { dataUpdate, type SocketFeature } from "../../platform/socket/socketFeature.ts";
import type { Database } from "../../platform/store/database.ts";
import type { ChangeEvent } from "../../platform/store/events.ts";
import { findNewestNotifications, findNotification } from "./notificationQueries.ts";
import { listNotificationPage, markRead, removeNotification, toNotification } from "./userNotifications.ts";

const clampLimit = (limit: number): number =>
  Math.min(notificationHistory, Math.max(1, Math.floor(limit) || notificationHistory));

/** Creates the function that handles the messages of notifications on a socket (RT12). */
export const createHandleNotificationMessage =
  (context: Pick<ServerContext, "database" | "seal" | "clock" | "feed">): HandleFeatureMessage =>
  async (userId, message) => {
    const { database, feed } = context;
    switch (message.type) {
      case "get_notifications": {
        const { limit, requestId, after } = message.data;
        const page = await listNotificationPage(context, database.db, userId, {
          after,
          limit: clampLimit(limit),
        });
        return { type: "notifications", data: { requestId, ...page } };
      }
      case "mark_read": {
        const unread = await database.transaction((tx) => markRead(context, tx, userId, message.data));
        feed.wake();
        return { type: "read_status_updated", data: { ...message.data, read: true, unread } };
      }
      case "delete_notification": {
        const { notificationId: resourceId } = message.data;
        await database.transaction((tx) => removeNotification(context, tx, userId, resourceId));
        feed.wake();
        return dataUpdate({ resource: "notifications", resourceId, action: "deleted" });
      }
    }
  };

/**
 * Announces a new notification with its content, a read one with the number of unread ones, and a deleted one
 * by its id (RT13). It reads only the notifications of the changed user.
 */
export const createNotificationFeature = (
  { db }: Pick<Database, "db">,
  seal: Pick<Seal, "open">,
): SocketFeature => {
  const build = async (event: ChangeEvent) => {
    const { userId, resourceId, action } = event;
    if (action === "created") {
      const row = await findNotification(db, userId, Number(resourceId));
      return row && { type: "notification" as const, data: toNotification(row, seal) };
    }
    if (action !== "read") return dataUpdate(event);
    const { unread } = await findNewestNotifications(db, userId, { after: 0, limit: 1 });
    const target = resourceId === null ? { all: true as const } : { notificationId: resourceId };
    return { type: "read_status_updated" as const, data: { ...target, read: true as const, unread } };
  };
  return {
    resources: ["notifications"],
    announce: (event) =>
      event.resource !== "notifications"
        ? undefined
        : {
            resources: ["notifications"],
            resourceId: event.resourceId,
            exceptClientId: null,
            build: () => build(event),
          },
  };
};
