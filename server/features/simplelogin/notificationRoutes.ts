import type { FastifyInstance } from "fastify";
import { notificationHistory } from "../../../core/notifications/notification.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import { createUserNotifications } from "../notifications/userNotifications.ts";
import { getNotifications, postNotificationRead, toNotice } from "./contract/notificationEndpoints.ts";
import { pageSize } from "./contract/values.ts";

export interface SimpleLoginNotificationDeps
  extends Pick<ServerContext, "database" | "seal" | "clock" | "feed"> {
  readonly authGuard: AuthGuard;
}

/** Registers the calls about what the account was told. */
export const notificationRoutes =
  ({ authGuard, ...context }: SimpleLoginNotificationDeps) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };
    const notifications = createUserNotifications(context);

    routeSignedIn(
      fastify,
      authGuard,
      getNotifications,
      async ({ auth, params: { page: text = "" } }) => {
        if (!/^\d{1,4}$/.test(text))
          throw fieldError("invalid", "page", "page must be provided in request query, from 0.");
        const from = Number(text) * pageSize;
        const { notifications: all } = await notifications.list(auth.userId, { limit: notificationHistory });
        return {
          more: all.length > from + pageSize,
          notifications: all.slice(from, from + pageSize).map(toNotice),
        };
      },
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      postNotificationRead,
      async ({ auth: { userId }, params: { id }, recordAnswer }) => {
        const { notifications: all } = await notifications.list(userId, { limit: notificationHistory });
        if (!all.some((one) => one.id === id)) throw new UseCaseError("missing", "Notification not found");
        await notifications.markRead(userId, { notificationId: id }, async (db) => {
          await recordAnswer(db, { done: true });
        });
        return { done: true as const };
      },
      limited,
    );
  };
