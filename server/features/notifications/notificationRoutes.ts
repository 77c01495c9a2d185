import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/notifications/notificationEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { listNotificationPage, markRead, removeNotification } from "./userNotifications.ts";

const parseAfter = (text: string | undefined): string | undefined => {
  if (text === undefined || /^\d{1,15}$/.test(text)) return text;
  throw fieldError("invalid", "after", "This must be the id of a notification.");
};

/** Registers the endpoints of notifications (NO1), each limited to the signed-in user's own rows. */
export const notificationRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.listNotifications,
      ({ auth, params }) =>
        listNotificationPage(context, database.db, auth.userId, {
          limit: params.limit,
          after: parseAfter(params.after),
        }),
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      endpoints.readNotifications,
      async ({ tx, auth, body }) => {
        await markRead(context, tx, auth.userId, body);
      },
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteNotification,
      async ({ tx, auth, params }) => {
        if (!(await removeNotification(context, tx, auth.userId, params.id)))
          throw new UseCaseError("missing", "This notification is not there any more.");
      },
      limited,
    );
  };
