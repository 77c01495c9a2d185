import { useTheme } from "../binding/ThemeProvider.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Switch } from "../ui/Switch.tsx";

/** Light or dark (SG1). */
export const AppearanceCard = () => {
  const { theme, choose } = useTheme();
  return (
    <SectionCard id="appearance" title="Appearance">
      <Switch
        label="Dark theme"
        description="Remembered on this device. Until you choose, the page follows your system."
        isOn={theme === "dark"}
        onChange={(isDark) => choose(isDark ? "dark" : "light")}
      />
    </SectionCard>
  );
};
