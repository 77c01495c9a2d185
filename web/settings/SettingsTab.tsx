import { AiSection } from "../contentAccess/AiSection.tsx";
import { EncryptionCard } from "../encryption/EncryptionCard.tsx";
import { Guarded } from "../loading/Guarded.tsx";
import { useFocusOnNavigate } from "../navigation/navigation.ts";
import { useTheme } from "../react/ThemeProvider.tsx";
import { TwoFactorCard } from "../twoFactor/TwoFactorCard.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Switch } from "../ui/Switch.tsx";
import { AppPasswordsCard } from "./AppPasswordsCard.tsx";
import { SessionsCard } from "./SessionsCard.tsx";
import styles from "./SettingsTab.module.css";

/** The theme setting (SG1). */
const AppearanceCard = () => {
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

/** The settings tab: appearance, security, content access and sessions (SG1). */
export const SettingsTab = () => {
  const security = useFocusOnNavigate<HTMLHeadingElement>("security");
  return (
    <div className={styles.tab}>
      <h1>Settings</h1>
      <AppearanceCard />
      <section aria-labelledby="security" className={styles.group}>
        <h2 id="security" ref={security} tabIndex={-1} className={styles.groupName}>
          Security Settings
        </h2>
        <div className={styles.cards}>
          <Guarded part="two-factor">
            <TwoFactorCard />
          </Guarded>
          <Guarded part="encryption">
            <EncryptionCard />
          </Guarded>
        </div>
      </section>
      <Guarded part="mail programs">
        <AppPasswordsCard />
      </Guarded>
      <Guarded part="AI features">
        <AiSection />
      </Guarded>
      <Guarded part="sessions">
        <SessionsCard />
      </Guarded>
    </div>
  );
};
