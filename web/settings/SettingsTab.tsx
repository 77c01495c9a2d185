import { AiSection } from "../contentAccess/AiSection.tsx";
import { EncryptionCard } from "../encryption/EncryptionCard.tsx";
import { useArrival } from "../places/useArrival.ts";
import { AppearanceCard } from "./AppearanceCard.tsx";
import { SessionsCard } from "./SessionsCard.tsx";
import styles from "./SettingsTab.module.css";
import { TwoFactorCard } from "./TwoFactorCard.tsx";

/** How the page looks, what protects the account, and where it is open (SG1). */
export const SettingsTab = () => {
  const security = useArrival<HTMLHeadingElement>("security");
  return (
    <div className={styles.tab}>
      <h1>Settings</h1>
      <AppearanceCard />
      <section aria-labelledby="security" className={styles.group}>
        <h2 id="security" ref={security} tabIndex={-1} className={styles.groupName}>
          Security Settings
        </h2>
        <div className={styles.cards}>
          <TwoFactorCard />
          <EncryptionCard />
        </div>
      </section>
      <AiSection />
      <SessionsCard />
    </div>
  );
};
