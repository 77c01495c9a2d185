import { notificationHistory } from "../../../core/notifications/notification.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { createMailNotifications } from "./mailNotifications.ts";
import { pruneNotifications } from "./notificationQueries.ts";
import { notificationRoutes } from "./notificationRoutes.ts";
import { createHandleNotificationMessage, createNotificationFeature } from "./notificationSocket.ts";
import { notificationRetentionMs } from "./userNotifications.ts";

/** The notifications that the bell shows. */
export const notificationsFeature: CreateFeature = (context) => {
  const { database, seal } = context;
  return {
    routes: [notificationRoutes(context)],
    socket: [createNotificationFeature(database, seal)],
    handleMessage: createHandleNotificationMessage(context),
    mail: { records: [createMailNotifications(seal)] },
    prune: {
      pruneNotifications: (db, now) =>
        pruneNotifications(db, { before: now - notificationRetentionMs, kept: notificationHistory }),
    },
  };
};
