import { addressText } from "../../navigation/address.ts";
import { SettingsRow } from "../../navigation/SettingsCard.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";

/** Leads to the log. */
export const LogCard = () => (
  <SettingsRow
    title="Your mail and what happened to it"
    text="What came to your masks, and why it was stopped."
  >
    <ButtonLink href={addressText(["log"])}>Show the log</ButtonLink>
  </SettingsRow>
);
