import type { FastifyInstance } from "fastify";
import {
  deleteNotification,
  listNotifications,
  readNotifications,
} from "../../../core/notifications/notificationEndpoints.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserNotifications } from "./userNotifications.ts";

export interface NotificationRouteDeps {
  readonly notifications: UserNotifications;
  readonly authGuard: AuthGuard;
}

const parseAfter = (text: string | undefined): string | undefined => {
  if (text === undefined || /^\d{1,15}$/.test(text)) return text;
  throw fieldError("invalid", "after", "This must be the id of a notification.");
};

/** Registers the endpoints of notifications (NO1), each limited to the signed-in user's own rows. */
export const notificationRoutes =
  ({ notifications, authGuard }: NotificationRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      listNotifications,
      ({ auth, params }) =>
        notifications.list(auth.userId, {
          limit: params.limit,
          after: parseAfter(params.after),
        }),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      readNotifications,
      async ({ auth, body, recordAnswer }) => {
        await notifications.markRead(auth.userId, body, recordAnswer);
      },
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      deleteNotification,
      async ({ auth, params, recordAnswer }) => {
        if (!(await notifications.remove(auth.userId, params.id, recordAnswer)))
          throw new UseCaseError("missing", "This notification is not there any more.");
      },
      limited,
    );
  };
