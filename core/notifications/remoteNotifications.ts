import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { Call } from "../requests/call.ts";
import { notificationHistory } from "./notification.ts";
import { deleteNotification, listNotifications, readNotifications } from "./notificationEndpoints.ts";
import type { NotificationGateway } from "./notificationGateway.ts";

const isGone = (failure: Failure): boolean => failure.kind === "refused" && failure.status === 404;

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
      TE.orElse((failure) => (isGone(failure) ? TE.right(undefined) : TE.left(failure))),
    ),
});
