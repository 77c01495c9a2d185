import { addressText } from "../../navigation/address.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { SettingRow } from "../../ui/layout/SettingRow.tsx";

/** Says what the log is, and leads to it. */
export const LogCard = () => (
  <SettingsCard>
    <SettingRow
      title="Your mail and what happened to it"
      text="It is off until you switch it on; the log itself says what it keeps."
    >
      <ButtonLink href={addressText(["log"])}>Show the log</ButtonLink>
    </SettingRow>
  </SettingsCard>
);
