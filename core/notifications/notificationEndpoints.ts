import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { NotificationPage } from "./notification.ts";

/**
 * The newest `limit` notifications with an id above `after`, the newest first; without `after` the newest of all.
 * `unread` counts every unread one of the user, listed or not.
 */
export const listNotifications = endpoint("GET", "/notifications", {
  params: t.intersection([t.type({ limit: t.string }), t.partial({ after: t.string })]),
  answer: NotificationPage,
});

/** One notification by its id, or all there are. */
export const WhatIsRead = t.union([t.type({ notificationId: t.string }), t.type({ all: t.literal(true) })]);
export type WhatIsRead = t.TypeOf<typeof WhatIsRead>;

/** Marks as read; what is read or gone already is no error. */
export const readNotifications = endpoint("PUT", "/notifications/read", { body: WhatIsRead });

/** Deletes one; 404 when the caller has none of this id. */
export const deleteNotification = endpoint("DELETE", "/notifications/:id", {
  params: t.type({ id: t.string }),
});
