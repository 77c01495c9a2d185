import {
  createCalendarSetting,
  createCodeSetting,
  createSenderDisplay,
  createTagSetting,
} from "../../../core/account/accountSetting.ts";
import { createActionLinks } from "../../../core/actionLinks/actionLinks.ts";
import { codeLimits } from "../../../core/codes/codeEndpoints.ts";
import { actionLinkDays } from "../../../core/mail/actionLinkPlace.ts";
import type { SenderShown } from "../../../core/mail/forwardedFrom.ts";
import { unsubscribeLinkDays } from "../../../core/mail/unsubscribeMode.ts";
import { createUnsubscribe } from "../../../core/unsubscribe/unsubscribe.ts";
import type { SelectOption } from "../../ui/form/Select.tsx";
import { actionLinkOptions } from "../actionLinks/actionLinkOptions.ts";
import { unsubscribeOptions } from "../unsubscribe/unsubscribeOptions.ts";
import { SettingChoice, SettingSwitch } from "./settingRows.tsx";

const senderOptions: readonly SelectOption<SenderShown>[] = [
  { value: "full", label: "Name and address", description: "Shop - orders at shop.example" },
  { value: "mask", label: "Name and mask", description: "Shop (the mask's description)" },
  { value: "address", label: "Address only", description: "orders at shop.example" },
];

/** The choice of how the sender of forwarded mail is shown. */
export const SenderDisplayCard = () => (
  <SettingChoice
    text="How your mail program names the sender. A sender who is not verified is always marked."
    options={senderOptions}
    create={createSenderDisplay}
  />
);

/** The choice whether forwarded mail has links that act on its mask, and where. */
export const ActionLinksCard = () => (
  <SettingChoice
    text={`Where an email names the mask it came to, with links to switch that mask off and to block the sender. The links work for ${actionLinkDays} days without logging in, for whoever has the email: remove them before you forward it to somebody. Replies through a mask leave them out.`}
    options={actionLinkOptions}
    create={createActionLinks}
  />
);

/** The choice of what "Unsubscribe" in a mail program does. */
export const UnsubscribeCard = () => (
  <SettingChoice
    text={`What “Unsubscribe” in your mail program does with forwarded email of mailing lists. Through the mask, the list sees neither you nor your mail provider; such a link works for ${unsubscribeLinkDays} days. Links in the text of an email stay as they are.`}
    options={unsubscribeOptions}
    create={createUnsubscribe}
  />
);

/** The switch for answers to invitations that go through the mask. */
export const CalendarsCard = () => (
  <SettingSwitch
    text="Your calendar then answers invitations from the mask. While this is off, it answers from your own address."
    create={createCalendarSetting}
  />
);

/** The switch for showing the codes in the mail of all masks. */
export const CodesCard = () => (
  <SettingSwitch
    text={`One-time codes and confirmation links stand beside their mask for ${codeLimits.minutes} minutes, to copy. The server reads each email for that, before it is encrypted for you; what it finds is encrypted to your key if you have one. Whoever is logged in as you sees them. A single mask has the same switch.`}
    create={createCodeSetting}
  />
);

/** The switch for taking mail with a tag behind the name of a mask. */
export const MaskTagsCard = () => (
  <SettingSwitch
    text="Email to shop+news@… reaches the mask shop@… and keeps its tag. While this is off, such email is refused."
    create={createTagSetting}
  />
);
