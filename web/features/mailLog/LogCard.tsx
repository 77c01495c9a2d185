import { useOpenPage } from "../../navigation/navigation.ts";
import { Button } from "../../ui/Button.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

/** Says what the log is, and leads to it. */
export const LogCard = () => {
  const openPage = useOpenPage();
  return (
    <SectionCard
      id="log"
      title="Log"
      text="A list of your mail and what happened to it. It is off until you turn it on."
    >
      <div>
        <Button onPress={() => openPage("log")}>Show the log</Button>
      </div>
    </SectionCard>
  );
};
