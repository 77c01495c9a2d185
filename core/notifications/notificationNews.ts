import type { Notification, NotificationId } from "./notification.ts";
import type { WhatIsRead } from "./notificationEndpoints.ts";

/** What the server says of somebody's notifications by itself. */
export type NotificationNews =
  | { readonly kind: "arrived"; readonly notification: Notification }
  /** Here or on another page; `unread` are left, where the server says so. */
  | { readonly kind: "read"; readonly what: WhatIsRead; readonly unread?: number | undefined }
  | { readonly kind: "removed"; readonly id: NotificationId }
  /** Something has changed; `id` where it is about one. What, must be asked. */
  | { readonly kind: "changed"; readonly id?: NotificationId | undefined };
