import { addressText } from "../../navigation/address.ts";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { SettingRow } from "../../ui/layout/SettingRow.tsx";

/** Says what the log is, and leads to it. */
export const LogCard = () => (
  <SectionCard id="log" title="Log" level={3}>
    <SettingRow
      title="Your mail and what happened to it"
      text="It is off until you switch it on; the log itself says what it keeps."
    >
      <ButtonLink href={addressText(["log"])}>Show the log</ButtonLink>
    </SettingRow>
  </SectionCard>
);
