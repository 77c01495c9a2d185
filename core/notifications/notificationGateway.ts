import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Failure, orGone } from "../kernel/failure.ts";
import {
  type Notification,
  type NotificationId,
  type NotificationPage,
  notificationHistory,
} from "./notification.ts";
import {
  deleteNotification,
  listNotifications,
  type ReadTarget,
  readNotifications,
} from "./notificationEndpoints.ts";
import type { NotificationSource } from "./notificationList.ts";

/** A change of the notifications that the server pushes. */
export type NotificationEvent =
  | {
      readonly kind: "arrived";
      readonly notification: Notification;
      readonly source: NotificationSource;
    }
  /** Notifications were read on this or another page; `unread` is the remaining number, if the server sends it. */
  | { readonly kind: "read"; readonly target: ReadTarget; readonly unread?: number | undefined }
  | { readonly kind: "removed"; readonly id: NotificationId }
  /** Notifications changed in an unknown way and must be fetched; `id` if the change is about one. */
  | { readonly kind: "changed"; readonly id?: NotificationId | undefined };

/** The requests about the notifications of one user. */
export interface NotificationGateway {
  /** Lists the newest 50 notifications, only those after the given one if any. */
  readonly list: (after?: NotificationId) => TE.TaskEither<Failure, NotificationPage>;
  readonly markRead: (target: ReadTarget) => TE.TaskEither<Failure, void>;
  /** Deletes a notification; one that does not exist any more is no error. */
  readonly remove: (id: NotificationId) => TE.TaskEither<Failure, void>;
}

/** Combines two gateways: requests that fail on the first go to the second. */
export const withFallback = (
  first: NotificationGateway,
  second: NotificationGateway,
): NotificationGateway => ({
  list: (after) =>
    pipe(
      first.list(after),
      TE.orElse(() => second.list(after)),
    ),
  markRead: (target) =>
    pipe(
      first.markRead(target),
      TE.orElse(() => second.markRead(target)),
    ),
  remove: (id) =>
    pipe(
      first.remove(id),
      TE.orElse(() => second.remove(id)),
    ),
});

/** Creates the notification gateway over HTTP. */
export const createHttpNotifications = (call: Call): NotificationGateway => ({
  list: (after) =>
    call(listNotifications)({
      params: { limit: notificationHistory, ...(after === undefined ? {} : { after }) },
    }),
  markRead: (body) => call(readNotifications)({ body }),
  remove: (id) => orGone(call(deleteNotification)({ params: { id } })),
});
