import { type HeldNotifications, isReadHere } from "./heldNotifications.ts";
import type { Notification, NotificationId } from "./notification.ts";

/** One as it is shown; a removed one may still be taken back. */
export interface ShownNotification extends Notification {
  readonly read: boolean;
  readonly removed: boolean;
}

const isRead = (held: HeldNotifications, notification: Notification): boolean =>
  notification.read === true || isReadHere(held, notification);

/** What is shown, the newest first. `restorable`: the removed ones that may still be taken back. */
export const shownOf = (
  held: HeldNotifications,
  restorable: ReadonlySet<NotificationId>,
): readonly ShownNotification[] =>
  held.known
    .filter(({ id }) => !held.removed.has(id) || restorable.has(id))
    .map((notification) => ({
      ...notification,
      read: isRead(held, notification),
      removed: held.removed.has(notification.id),
    }));

/** How many are unread, what the user has just done included; never below 0 (NO1). */
export const unreadOf = (held: HeldNotifications): number => {
  const unread = held.known.filter(({ read }) => read !== true);
  const left = unread.filter(({ id }) => !held.removed.has(id));
  if (held.readUpTo > 0) return left.filter((notification) => !isReadHere(held, notification)).length;
  const done = unread.length - left.filter((notification) => !isReadHere(held, notification)).length;
  return Math.max(0, held.unread - done);
};
