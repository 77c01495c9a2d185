import { Guarded } from "../../loading/Guarded.tsx";
import { useFocusOnNavigate, useOpenPage } from "../../navigation/navigation.ts";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { Button } from "../../ui/Button.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { NewMasksCard } from "../account/NewMasksCard.tsx";
import { SenderDisplayCard } from "../account/SenderDisplayCard.tsx";
import { AppPasswordsCard } from "../appPasswords/AppPasswordsCard.tsx";
import { AiSection } from "../contentAccess/AiSection.tsx";
import { DestinationsCard } from "../destinations/DestinationsCard.tsx";
import { DomainsCard } from "../domains/DomainsCard.tsx";
import { EncryptionCard } from "../encryption/EncryptionCard.tsx";
import { HeldNoticesCard } from "../held/HeldNoticesCard.tsx";
import { SessionsCard } from "../session/SessionsCard.tsx";
import { TwoFactorCard } from "../session/twoFactor/TwoFactorCard.tsx";
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

const LogCard = () => {
  const openPage = useOpenPage();
  return (
    <SectionCard
      id="log"
      title="Log"
      text="A list of your mail and what happened to it. It is off until you turn it on."
    >
      <div>
        <Button onPress={() => openPage("log")}>Show the log</Button>
      </div>
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
