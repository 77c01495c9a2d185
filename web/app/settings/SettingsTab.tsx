import { NewMasksCard } from "../../features/account/NewMasksCard.tsx";
import { SenderDisplayCard } from "../../features/account/SenderDisplayCard.tsx";
import { AppPasswordsCard } from "../../features/appPasswords/AppPasswordsCard.tsx";
import { AiSection } from "../../features/contentAccess/AiSection.tsx";
import { DestinationsCard } from "../../features/destinations/DestinationsCard.tsx";
import { DomainsCard } from "../../features/domains/DomainsCard.tsx";
import { EncryptionCard } from "../../features/encryption/EncryptionCard.tsx";
import { HeldNoticesCard } from "../../features/held/HeldNoticesCard.tsx";
import { LogCard } from "../../features/mailLog/LogCard.tsx";
import { SessionsCard } from "../../features/session/SessionsCard.tsx";
import { TwoFactorCard } from "../../features/session/twoFactor/TwoFactorCard.tsx";
import { Guarded } from "../../loading/Guarded.tsx";
import { useFocusOnNavigate } from "../../navigation/navigation.ts";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
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
      <Guarded part="addresses">
        <DestinationsCard />
      </Guarded>
      <Guarded part="domains">
        <DomainsCard />
      </Guarded>
      <Guarded part="new masks">
        <NewMasksCard />
      </Guarded>
      <Guarded part="forwarded mail">
        <SenderDisplayCard />
      </Guarded>
      <Guarded part="held mail">
        <HeldNoticesCard />
      </Guarded>
      <LogCard />
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
