import { accountSetting } from "../account/accountSetting.ts";
import { UnsubscribeMode } from "../mail/unsubscribeMode.ts";

/** The effect of "Unsubscribe" on mail that is forwarded from now on. A choice that only newer versions know is read as none. */
export const createUnsubscribe = accountSetting<UnsubscribeMode>({
  read: ({ settings }) => (UnsubscribeMode.is(settings?.unsubscribe) ? settings.unsubscribe : "as-is"),
  toUpdate: (unsubscribe) => ({ unsubscribe }),
  failed: "Failed to change how mailing lists are left",
});
