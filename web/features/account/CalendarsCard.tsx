import { createCalendarSetting } from "../../../core/account/accountSetting.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SettingRows } from "../../ui/layout/SettingRow.tsx";

/** The switch for answers to invitations that go through the mask. */
export const CalendarsCard = () => {
  const calendars = useFeature(createCalendarSetting);
  const isOn = useObservable(calendars.value$);
  const choose = useAction(calendars.choose);
  return (
    <SettingsCard isBusy={choose.isRunning}>
      <ProblemBanner problem={choose.problem} />
      <SettingRows>
        <Switch
          label="Answer invitations through the mask"
          description="Names you and others in forwarded calendars so that your calendar answers from the mask. Without it, the answer goes to the organizer from your own address."
          isOn={isOn === true}
          isDisabled={isOn === null}
          isPending={choose.isRunning}
          onChange={choose.run}
        />
      </SettingRows>
    </SettingsCard>
  );
};
