import type { ServerMessage } from "../../core/realtime/messages.ts";
import { notificationFrom } from "../notifications/userNotifications.ts";
import type { Database } from "../store/database.ts";
import type { ChangeEvent } from "../store/events.ts";
import { newestNotifications, notificationOf } from "../store/notifications.ts";

/** What a user's pages are told about a change; undefined when there is nothing left to tell. */
export type Announce = (event: ChangeEvent) => Promise<ServerMessage | undefined>;

const dataUpdate = ({ resource, resourceId, action }: ChangeEvent): ServerMessage => ({
  type: "data_update",
  data: { resource, action, ...(resourceId === null ? {} : { resourceId }) },
});

/**
 * Makes the message for a change: a new notification whole, what was read with the number of those that are not, and
 * `data_update` for anything else (RT13). What it reads, it reads as the owner of the change.
 */
export const makeAnnounce =
  ({ db }: Database): Announce =>
  async (event) => {
    const { userId, resource, resourceId, action } = event;
    if (resource !== "notifications") return dataUpdate(event);
    if (action === "created") {
      const row = await notificationOf(db, userId, Number(resourceId));
      return row && { type: "notification", data: notificationFrom(row) };
    }
    if (action !== "read") return dataUpdate(event);
    const { unread } = await newestNotifications(db, userId, { after: 0, limit: 1 });
    const what = resourceId === null ? { all: true as const } : { notificationId: resourceId };
    return { type: "read_status_updated", data: { ...what, read: true, unread } };
  };
