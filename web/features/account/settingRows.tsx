import { useContext } from "react";
import type { AccountSetting, AccountSettingDeps } from "../../../core/account/accountSetting.ts";
import { CardEntry, SettingsRow } from "../../navigation/SettingsCard.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select, type SelectOption } from "../../ui/form/Select.tsx";
import { Switch } from "../../ui/form/Switch.tsx";

interface SettingProps<A> {
  /** The meaning of its value; its name is the title of its entry. */
  readonly text: string;
  readonly create: (deps: AccountSettingDeps) => AccountSetting<A>;
}

/** One setting of the account with a few values to choose from. */
export const SettingChoice = <A extends string>({
  text,
  create,
  options,
}: SettingProps<A> & { readonly options: readonly SelectOption<A>[] }) => {
  const { title } = useContext(CardEntry);
  const setting = useFeature(create);
  const value = useObservable(setting.value$);
  const choose = useAction(setting.choose);
  return (
    <SettingsRow text={text} isBusy={choose.isRunning} notice={<ProblemBanner problem={choose.problem} />}>
      <Select
        label={title}
        isLabelHidden
        options={options}
        value={value ?? undefined}
        onChange={choose.run}
        isDisabled={value === null}
      />
    </SettingsRow>
  );
};

/** One setting of the account that is on or off. */
export const SettingSwitch = ({ text, create }: SettingProps<boolean>) => {
  const { title } = useContext(CardEntry);
  const setting = useFeature(create);
  const isOn = useObservable(setting.value$);
  const choose = useAction(setting.choose);
  return (
    <SettingsRow text={text} isBusy={choose.isRunning} notice={<ProblemBanner problem={choose.problem} />}>
      <Switch
        label={title}
        isLabelHidden
        isOn={isOn === true}
        isDisabled={isOn === null}
        isPending={choose.isRunning}
        onChange={choose.run}
      />
    </SettingsRow>
  );
};
