import { createSenderDisplay } from "../../../core/account/senderDisplay.ts";
import type { SenderShown } from "../../../core/mail/forwardedFrom.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select, type SelectOption } from "../../ui/form/Select.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { SettingRow } from "../../ui/layout/SettingRow.tsx";

const senderOptions: readonly SelectOption<SenderShown>[] = [
  { value: "full", label: "Name and address", description: "Shop - orders at shop.example" },
  { value: "mask", label: "Name and mask", description: "Shop (the mask's description)" },
  { value: "address", label: "Address only", description: "orders at shop.example" },
];

/** How the sender of forwarded mail is shown. */
export const SenderDisplayCard = () => {
  const display = useFeature(createSenderDisplay);
  const shown = useObservable(display.shown$);
  const choose = useAction(display.choose);
  return (
    <SectionCard id="sender-display" title="Forwarded Mail" level={3} isBusy={choose.isRunning}>
      <ProblemBanner problem={choose.problem} />
      <SettingRow
        title="Show the sender as"
        text="How your mail program names the sender. A sender who is not verified is always marked."
      >
        <Select
          label="Show the sender as"
          isLabelHidden
          options={senderOptions}
          value={shown ?? undefined}
          onChange={choose.run}
          isDisabled={shown === null || choose.isRunning}
        />
      </SettingRow>
    </SectionCard>
  );
};
