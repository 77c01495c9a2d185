import * as t from "io-ts";
import { completed, idText, readableList, ShownText, Timestamp, timestampOf } from "../api/wireCodecs.ts";

/** The kinds of notifications: news, what needs care, what failed, or what concerns who gets at the account. */
export const notificationTypes = ["info", "success", "warning", "error", "security"] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** The parts of the settings that a notification can lead to. */
export const notificationPlaces = ["api-tokens", "webhooks", "app-passwords", "destinations"] as const;
export type NotificationPlace = (typeof notificationPlaces)[number];

const NotificationFields = t.intersection([
  t.type({
    /** A whole number as text; a later notification of the same user has a higher one. */
    id: ShownText,
    message: ShownText,
  }),
  t.partial({
    /** The creation time, in milliseconds since 1970; another server may send none. */
    timestamp: Timestamp,
    /** One of `notificationTypes`; any other value counts as "info" (`typeOf`). */
    type: ShownText,
    /** "high" and "urgent" notifications also show as a toast. */
    priority: ShownText,
    read: t.boolean,
    /** The held mail that it is about, while that is held. */
    heldId: ShownText,
    /** The sender of the mail that it is about, and the mask it came to. */
    sender: t.type({ maskId: ShownText, address: ShownText }),
    /** The part of the settings that it leads to: one of `notificationPlaces`; any other value leads nowhere. */
    place: ShownText,
  }),
]);

/** A notification for the user (NO1). Other servers may number them and write the time in ISO 8601. */
export const Notification = completed(NotificationFields, ({ id, timestamp, ...rest }) => ({
  ...rest,
  id: idText(id),
  timestamp: timestampOf(timestamp),
}));
export type Notification = t.TypeOf<typeof Notification>;

/** Returns the type of a notification; one of a type that this version does not know is news. */
export const typeOf = ({ type }: Pick<Notification, "type">): NotificationType =>
  notificationTypes.find((known) => known === type) ?? "info";

/** Returns the part of the settings that a notification leads to, if this version knows it. */
export const placeOf = ({ place }: Pick<Notification, "place">): NotificationPlace | undefined =>
  notificationPlaces.find((known) => known === place);

export type NotificationId = Notification["id"];

/** The newest notifications of a user, the newest first, and the number of all unread ones. */
export const NotificationPage = t.type({
  notifications: readableList(Notification),
  unread: t.number,
});
export type NotificationPage = t.TypeOf<typeof NotificationPage>;

/** The maximum number of notifications to request and to keep (NO1). */
export const notificationHistory = 50;
