import { listDialogs } from "../../features/masks/listDialogs.ts";
import { addressText } from "../../navigation/address.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { LinkRow, SettingRows } from "../../ui/layout/SettingRow.tsx";

/** The theme setting (SG1). */
export const AppearanceCard = () => {
  const { theme, choose } = useTheme();
  return (
    <SettingsCard>
      <Switch
        label="Dark theme"
        description="Remembered on this device. Until you choose, the page follows your system."
        isOn={theme === "dark"}
        onChange={(isDark) => choose(isDark ? "dark" : "light")}
      />
    </SettingsCard>
  );
};

/** Leads to what other screens show of the account. */
export const YourAccountCard = () => (
  <SettingsCard>
    <SettingRows>
      <LinkRow
        href={addressText(["account"])}
        title="Usage, score and email address"
        text="What you have used this month, what makes your account safer, and the address that you log in with."
      />
      <LinkRow
        href={addressText(["settings", "data"])}
        title="Your data"
        text="Export your data before you delete your account."
      />
    </SettingRows>
  </SettingsCard>
);

/** Leads to the dialogs that belong to the list of masks. */
export const MaskListCard = () => (
  <SettingsCard>
    <SettingRows>
      {listDialogs.map(
        ({ path, title, setting }) =>
          setting && <LinkRow key={path[1]} href={addressText(path)} title={title} text={setting.text} />,
      )}
    </SettingRows>
  </SettingsCard>
);
