import { useOpenPage } from "../../navigation/navigation.ts";
import { Button } from "../../ui/Button.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { SettingRow } from "../../ui/layout/SettingRow.tsx";

/** Says what the log is, and leads to it. */
export const LogCard = () => {
  const openPage = useOpenPage();
  return (
    <SectionCard id="log" title="Log" level={3}>
      <SettingRow
        title="Your mail and what happened to it"
        text="It is off until you turn it on; the log itself says what it keeps."
      >
        <Button onPress={() => openPage("log")}>Show the log</Button>
      </SettingRow>
    </SectionCard>
  );
};
