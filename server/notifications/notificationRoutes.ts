import type { FastifyInstance } from "fastify";
import { notificationHistory } from "../../core/notifications/notification.ts";
import {
  deleteNotification,
  listNotifications,
  readNotifications,
} from "../../core/notifications/notificationEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { UserNotifications } from "./userNotifications.ts";

export interface NotificationRouteParts {
  readonly notifications: UserNotifications;
  readonly door: Door;
}

const readLimit = (text: string): number => {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= notificationHistory) return limit;
  throw refusedField(400, "limit", `The limit must be a number from 1 to ${notificationHistory}.`);
};

const readAfter = (text: string | undefined): string | undefined => {
  if (text === undefined || /^\d{1,15}$/.test(text)) return text;
  throw refusedField(400, "after", "This must be the id of a notification.");
};

/** The calls of notifications (NO1). Every one reaches the store through the caller's user id. */
export const notificationRoutes =
  ({ notifications, door }: NotificationRouteParts) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      door,
      listNotifications,
      ({ caller, params }) =>
        notifications.list(caller.userId, { limit: readLimit(params.limit), after: readAfter(params.after) }),
      limited,
    );

    routeSignedIn(
      fastify,
      door,
      readNotifications,
      async ({ caller, body, keep }) => {
        await notifications.markRead(caller.userId, body, keep);
      },
      limited,
    );

    routeSignedIn(
      fastify,
      door,
      deleteNotification,
      async ({ caller, params, keep }) => {
        if (!(await notifications.remove(caller.userId, params.id, keep)))
          throw new Refusal(404, "This notification is not there any more.");
      },
      limited,
    );
  };
