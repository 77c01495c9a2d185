import { notificationHistory } from "../../../core/notifications/notification.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { pruneNotifications } from "./notificationQueries.ts";
import { notificationRoutes } from "./notificationRoutes.ts";
import { createHandleNotificationMessage, createNotificationFeature } from "./notificationSocket.ts";
import { createUserNotifications, notificationRetentionMs } from "./userNotifications.ts";

/** What the bell shows. */
export const notificationsFeature: CreateFeature = (context) => {
  const { database, seal, authGuard } = context;
  const notifications = createUserNotifications(context);
  return {
    routes: [notificationRoutes({ notifications, authGuard })],
    socket: [createNotificationFeature(database, seal)],
    handleMessage: createHandleNotificationMessage(notifications),
    prune: {
      pruneNotifications: (db, now) =>
        pruneNotifications(db, { before: now - notificationRetentionMs, kept: notificationHistory }),
    },
  };
};
