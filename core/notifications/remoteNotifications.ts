import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { isRefused } from "../kernel/failure.ts";
import type { Call } from "../requests/call.ts";
import { notificationHistory } from "./notification.ts";
import { deleteNotification, listNotifications, readNotifications } from "./notificationEndpoints.ts";
import type { NotificationGateway } from "./notificationGateway.ts";

/** Notifications asked for by HTTP. */
export const makeRemoteNotifications = (call: Call): NotificationGateway => ({
  list: (after) =>
    call(listNotifications)({
      params: { limit: String(notificationHistory), ...(after === undefined ? {} : { after }) },
    }),
  markRead: (body) => call(readNotifications)({ body }),
  remove: (id) =>
    pipe(
      call(deleteNotification)({ params: { id } }),
      TE.orElse((failure) => (isRefused(failure, 404) ? TE.right(undefined) : TE.left(failure))),
    ),
});
