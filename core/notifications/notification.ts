import * as t from "io-ts";

/** Something the user should know (NO1). */
export const Notification = t.intersection([
  t.type({
    /** A whole number that grows: a later notification of the same user has a higher one. */
    id: t.string,
    message: t.string,
    /** When it was written, in milliseconds since 1970. */
    timestamp: t.number,
  }),
  t.partial({
    /** "success", "warning" and "error" have a look of their own; absent or anything else is "info". */
    type: t.string,
    /** "high" and "urgent" show as a toast besides. */
    priority: t.string,
    read: t.boolean,
  }),
]);
export type Notification = t.TypeOf<typeof Notification>;

export type NotificationId = Notification["id"];

/** The newest notifications of somebody, the newest first, and how many are unread in all. */
export const NotificationPage = t.type({
  notifications: t.readonlyArray(Notification),
  unread: t.number,
});
export type NotificationPage = t.TypeOf<typeof NotificationPage>;

/** How many notifications are asked for, and kept, at most (NO1). */
export const notificationHistory = 50;
