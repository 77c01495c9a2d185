import { createNewMaskFormat } from "../../../core/account/accountSetting.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { FieldColumns } from "../../ui/layout/layout.tsx";
import { FormatFields } from "../masks/form/FormatFields.tsx";

/** The choice of what the addresses of new masks are made of. */
export const NewMasksCard = () => {
  const setting = useFeature(createNewMaskFormat);
  const format = useObservable(setting.value$);
  const choose = useAction(setting.choose);
  return (
    <SettingsCard
      text="How the addresses of new masks look. You can choose another format for each new mask; your present masks stay as they are."
      isBusy={choose.isRunning}
    >
      <ProblemBanner problem={choose.problem} />
      <FieldColumns>
        <FormatFields
          label="Addresses of new masks"
          format={format ?? undefined}
          onChange={(chosen) => chosen && choose.run(chosen)}
          isDisabled={format === null}
        />
      </FieldColumns>
    </SettingsCard>
  );
};
