import { createActionLinks } from "../../../core/actionLinks/actionLinks.ts";
import { actionLinkDays } from "../../../core/mail/actionLinkPlace.ts";
import { actionLinkOptions } from "../actionLinks/actionLinkOptions.ts";
import { SettingChoiceCard } from "./SettingChoiceCard.tsx";

/** The choice whether forwarded mail has links that act on its mask, and where. */
export const ActionLinksCard = () => (
  <SettingChoiceCard
    label="Links to switch a mask off and to block a sender"
    text={`Each email says which mask it came to. Its links work for ${actionLinkDays} days without logging in, for whoever has the email: remove them before you forward it to somebody. Replies through a mask leave them out.`}
    options={actionLinkOptions}
    create={createActionLinks}
  />
);
