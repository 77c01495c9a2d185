import { accountSetting } from "./accountSetting.ts";

/** Whether answers to invitations in forwarded mail go through the mask; null where the server does not say. */
export const createCalendarSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.calendarsThroughMask ?? null,
  toUpdate: (calendarsThroughMask) => ({ calendarsThroughMask }),
  failed: "Failed to change the answers to invitations",
});
