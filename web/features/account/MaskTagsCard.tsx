import { createTagSetting } from "../../../core/account/accountSetting.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SettingRows } from "../../ui/layout/SettingRow.tsx";

/** The switch for taking mail with a tag behind the name of a mask. */
export const MaskTagsCard = () => {
  const tags = useFeature(createTagSetting);
  const isOn = useObservable(tags.value$);
  const choose = useAction(tags.choose);
  return (
    <SettingsCard isBusy={choose.isRunning}>
      <ProblemBanner problem={choose.problem} />
      <SettingRows>
        <Switch
          label="Take email with tags"
          description="Email to shop+news@… reaches the mask shop@…, and the tag stays in the address that it was sent to. Without it, such email is refused."
          isOn={isOn === true}
          isDisabled={isOn === null}
          isPending={choose.isRunning}
          onChange={choose.run}
        />
      </SettingRows>
    </SettingsCard>
  );
};
