import { SenderShown } from "../mail/forwardedFrom.ts";
import { accountSetting } from "./accountSetting.ts";

/**
 * The form in which senders of mail that arrives from now on are shown. A form that only newer versions know is read as the usual
 * one.
 */
export const createSenderDisplay = accountSetting<SenderShown>({
  read: ({ settings }) => (SenderShown.is(settings?.senderShown) ? settings.senderShown : "full"),
  toUpdate: (senderShown) => ({ senderShown }),
  failed: "Failed to change how senders are shown",
});
