import { notificationHistory } from "../../../core/notifications/notification.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type CompatibleRoute, signedIn, write } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { listNotificationPage, markRead } from "../notifications/userNotifications.ts";
import { getNotifications, postNotificationRead, toNotice } from "./contract/notificationEndpoints.ts";
import { pageSize } from "./contract/simpleLoginValues.ts";

const newest = { limit: notificationHistory };

const limited = { perMinute: perMinute.notifications };

/** Returns the routes of the calls about what the account was told. */
export const notificationRoutes = (context: FeatureContext): readonly CompatibleRoute[] => [
  signedIn(getNotifications, limited, async ({ auth, params: { page: text = "" } }) => {
    if (!/^\d{1,4}$/.test(text))
      throw fieldError("invalid", "page", "page must be provided in request query, from 0.");
    const from = Number(text) * pageSize;
    const { db } = context.database;
    const { notifications: all } = await listNotificationPage(context, db, auth.userId, newest);
    return {
      more: all.length > from + pageSize,
      notifications: all.slice(from, from + pageSize).map(toNotice),
    };
  }),
  write(postNotificationRead, limited, async ({ tx, auth: { userId }, params: { id } }) => {
    const { notifications } = await listNotificationPage(context, tx, userId, newest);
    if (!notifications.some((one) => one.id === id))
      throw new UseCaseError("missing", "Notification not found");
    await markRead(context, tx, userId, { notificationId: id });
    return { done: true as const };
  }),
];
