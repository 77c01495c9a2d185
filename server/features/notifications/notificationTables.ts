import type { Generated } from "kysely";
import type { NotificationPlace } from "../../../core/notifications/notification.ts";
import type { Time } from "../../platform/store/tables.ts";

/** Messages for users; one about a mail names its held copy, or its mask and sender. */
export interface NotificationsTable {
  id: Generated<number>;
  user_id: string;
  type: string;
  priority: string;
  message: string;
  /** The held mail that it is about; null without one. */
  held_id: Generated<string | null>;
  /** The mask whose mail it is about; null without a sender. */
  mask_id: Generated<string | null>;
  /** The address of that mail's sender, encrypted; null without one. */
  sender: Generated<string | null>;
  /** The part of the settings that it leads to; null without one. */
  place: Generated<NotificationPlace | null>;
  created_at: Time;
  read_at: Time | null;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    notifications: NotificationsTable;
  }
}
