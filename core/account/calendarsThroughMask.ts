import { accountSetting } from "./accountSetting.ts";

/** The switch for answers to invitations in forwarded mail that go through the mask; null where the server does not say. */
export const createCalendarSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.calendarsThroughMask ?? null,
  toUpdate: (calendarsThroughMask) => ({ calendarsThroughMask }),
  failed: "Failed to change the answers to invitations",
});
