import { createHeldNoticeSetting } from "../../../core/account/accountSetting.ts";
import { addressText } from "../../navigation/address.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SettingRow, SettingRows } from "../../ui/layout/SettingRow.tsx";

/** The switch for mails to the user about held mail. */
export const HeldNoticesCard = () => {
  const notices = useFeature(createHeldNoticeSetting);
  const isOn = useObservable(notices.value$);
  const choose = useAction(notices.choose);
  return (
    <SettingsCard isBusy={choose.isRunning}>
      <ProblemBanner problem={choose.problem} />
      <SettingRows>
        <Switch
          label="Daily notice by mail"
          description="Lists your held mail, with links to release, delete, allow or block. It comes at most once a day, and is encrypted if you have a key."
          isOn={isOn === true}
          isDisabled={isOn === null}
          isPending={choose.isRunning}
          onChange={choose.run}
        />
        <SettingRow title="What is held now" text="Read it, then release or delete it.">
          <ButtonLink href={addressText(["held"])}>Show held mail</ButtonLink>
        </SettingRow>
      </SettingRows>
    </SettingsCard>
  );
};
