import { addressText } from "../../navigation/address.ts";
import { SettingsRow } from "../../navigation/SettingsCard.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";

/** Leads to the log. */
export const LogCard = () => (
  <SettingsRow text="Your mail, what happened to it, and why.">
    <ButtonLink href={addressText(["log"])}>Show the log</ButtonLink>
  </SettingsRow>
);
