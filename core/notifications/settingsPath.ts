import type { NotificationPlace } from "./notification.ts";

/** The address in the app of each part of the settings that a notification leads to. */
export const settingsPathOf: Readonly<Record<NotificationPlace, readonly string[]>> = {
  "api-tokens": ["settings", "programs", "api-tokens"],
  webhooks: ["settings", "programs", "webhooks"],
  "app-passwords": ["settings", "programs", "app-passwords"],
  destinations: ["settings", "mail", "destinations"],
};
