import type { ReactNode } from "react";
import type { AccountSetting, AccountSettingDeps } from "../../../core/account/accountSetting.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select, type SelectOption } from "../../ui/form/Select.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SettingRow, SettingRows } from "../../ui/layout/SettingRow.tsx";

interface SettingCardProps<A> {
  /** The name of the setting, and the meaning of its value. */
  readonly label: string;
  readonly text: string;
  readonly create: (deps: AccountSettingDeps) => AccountSetting<A>;
}

/** One setting of the account with a few values to choose from. */
export const SettingChoiceCard = <A extends string>({
  label,
  text,
  create,
  options,
}: SettingCardProps<A> & { readonly options: readonly SelectOption<A>[] }) => {
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

/** One setting of the account that is on or off, above other rows. */
export const SettingSwitchCard = ({
  label,
  text,
  create,
  children,
}: SettingCardProps<boolean> & { readonly children?: ReactNode }) => {
  const setting = useFeature(create);
  const isOn = useObservable(setting.value$);
  const choose = useAction(setting.choose);
  return (
    <SettingsCard isBusy={choose.isRunning}>
      <ProblemBanner problem={choose.problem} />
      <SettingRows>
        <Switch
          label={label}
          description={text}
          isOn={isOn === true}
          isDisabled={isOn === null}
          isPending={choose.isRunning}
          onChange={choose.run}
        />
        {children}
      </SettingRows>
    </SettingsCard>
  );
};
