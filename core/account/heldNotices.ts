import { accountSetting } from "./accountSetting.ts";

/** The switch for a mail about newly held mail, once a day at most; null where the server sends none. */
export const createHeldNoticeSetting = accountSetting<boolean>({
  read: ({ settings }) => settings?.heldNotices ?? null,
  toUpdate: (heldNotices) => ({ heldNotices }),
  failed: "Failed to change the notices of held mail",
});
