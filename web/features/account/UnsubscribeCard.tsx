import { unsubscribeLinkDays } from "../../../core/mail/unsubscribeMode.ts";
import { createUnsubscribe } from "../../../core/unsubscribe/unsubscribe.ts";
import { unsubscribeOptions } from "../unsubscribe/unsubscribeOptions.ts";
import { SettingChoiceCard } from "./SettingChoiceCard.tsx";

/** The choice of what "Unsubscribe" in a mail program does. */
export const UnsubscribeCard = () => (
  <SettingChoiceCard
    label="Unsubscribe"
    text={`What “Unsubscribe” in your mail program does with forwarded email of mailing lists. Through the mask, the list sees neither you nor your mail provider; such a link works for ${unsubscribeLinkDays} days. Links in the text of an email stay as they are.`}
    options={unsubscribeOptions}
    create={createUnsubscribe}
  />
);
