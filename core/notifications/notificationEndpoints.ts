import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { limitUpTo } from "../api/queryCodecs.ts";
import { NotificationPage, notificationHistory } from "./notification.ts";

/**
 * Lists the newest `limit` notifications with an id above `after`, the newest first; without `after` the
 * newest of all. `unread` counts all unread notifications of the user.
 */
export const listNotifications = endpoint("GET", "/notifications", {
  tokens: "account:read",
  params: t.intersection([t.type({ limit: limitUpTo(notificationHistory) }), t.partial({ after: t.string })]),
  answer: NotificationPage,
});

/** One notification by its id, or all notifications. */
export const ReadTarget = t.union([t.type({ notificationId: t.string }), t.type({ all: t.literal(true) })]);
export type ReadTarget = t.TypeOf<typeof ReadTarget>;

/** Marks notifications as read; notifications that are already read or deleted are no error. */
export const readNotifications = endpoint("PUT", "/notifications/read", {
  tokens: "account:read",
  body: ReadTarget,
});

/** Deletes a notification; 404 when the user has none with this id. */
export const deleteNotification = endpoint("DELETE", "/notifications/:id", {
  params: t.type({ id: t.string }),
});
