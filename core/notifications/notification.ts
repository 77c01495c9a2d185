import * as t from "io-ts";
import { readableList, ShownText, Timestamp } from "../api/wireCodecs.ts";

/** A notification for the user (NO1). */
export const Notification = t.intersection([
  t.type({
    /** A whole number as text; a later notification of the same user has a higher one. */
    id: ShownText,
    message: ShownText,
    /** The creation time, in milliseconds since 1970. */
    timestamp: Timestamp,
  }),
  t.partial({
    /** "success", "warning" or "error"; any other value counts as "info". */
    type: ShownText,
    /** "high" and "urgent" notifications also show as a toast. */
    priority: ShownText,
    read: t.boolean,
    /** The held mail that it is about, while that is held. */
    heldId: ShownText,
    /** Who sent the mail that it is about, and to which mask. */
    sender: t.type({ maskId: ShownText, address: ShownText }),
  }),
]);
export type Notification = t.TypeOf<typeof Notification>;

export type NotificationId = Notification["id"];

/** The newest notifications of a user, the newest first, and the number of all unread ones. */
export const NotificationPage = t.type({
  notifications: readableList(Notification),
  unread: t.number,
});
export type NotificationPage = t.TypeOf<typeof NotificationPage>;

/** The maximum number of notifications to request and to keep (NO1). */
export const notificationHistory = 50;
