import type { AccountSetting, AccountSettingDeps } from "../../../core/account/accountSetting.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select, type SelectOption } from "../../ui/form/Select.tsx";
import { SettingRow } from "../../ui/layout/SettingRow.tsx";

interface SettingChoiceCardProps<A extends string> {
  /** The name of the setting, and the meaning of the present choice. */
  readonly label: string;
  readonly text: string;
  readonly options: readonly SelectOption<A>[];
  readonly create: (deps: AccountSettingDeps) => AccountSetting<A>;
}

/** One setting of the account with a few values to choose from. */
export const SettingChoiceCard = <A extends string>(props: SettingChoiceCardProps<A>) => {
  const { label, text, options, create } = props;
  const setting = useFeature(create);
  const value = useObservable(setting.value$);
  const choose = useAction(setting.choose);
  return (
    <SettingsCard isBusy={choose.isRunning}>
      <ProblemBanner problem={choose.problem} />
      <SettingRow title={label} text={text}>
        <Select
          label={label}
          isLabelHidden
          options={options}
          value={value ?? undefined}
          onChange={choose.run}
          isDisabled={value === null}
        />
      </SettingRow>
    </SettingsCard>
  );
};
