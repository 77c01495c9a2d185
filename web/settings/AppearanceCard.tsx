import { useTheme } from "../binding/ThemeProvider.tsx";
import { Card } from "../ui/Card.tsx";
import { Switch } from "../ui/Switch.tsx";
import styles from "./SettingsTab.module.css";

/** Light or dark (SG1). */
export const AppearanceCard = () => {
  const { theme, choose } = useTheme();
  return (
    <Card as="section" aria-labelledby="appearance" padding="roomy" className={styles.card}>
      <h2 id="appearance" className={styles.name}>
        Appearance
      </h2>
      <Switch
        label="Dark theme"
        description="Remembered on this device. Until you choose, the page follows your system."
        isOn={theme === "dark"}
        onChange={(isDark) => choose(isDark ? "dark" : "light")}
      />
    </Card>
  );
};
