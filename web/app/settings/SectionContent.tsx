import type { ComponentType } from "react";
import { ActionLinksCard } from "../../features/account/ActionLinksCard.tsx";
import { CalendarsCard } from "../../features/account/CalendarsCard.tsx";
import { ExportCard, ImportCard } from "../../features/account/DataCards.tsx";
import { DeleteAccountSection } from "../../features/account/DeleteAccountSection.tsx";
import { MaskTagsCard } from "../../features/account/MaskTagsCard.tsx";
import { NewMasksCard } from "../../features/account/NewMasksCard.tsx";
import { SenderDisplayCard } from "../../features/account/SenderDisplayCard.tsx";
import { UnsubscribeCard } from "../../features/account/UnsubscribeCard.tsx";
import { ApiTokensCard } from "../../features/apiTokens/ApiTokensCard.tsx";
import { AppPasswordsCard } from "../../features/appPasswords/AppPasswordsCard.tsx";
import { AiSection } from "../../features/contentAccess/AiSection.tsx";
import { DestinationsCard } from "../../features/destinations/DestinationsCard.tsx";
import { DomainsCard } from "../../features/domains/DomainsCard.tsx";
import { EncryptionCard } from "../../features/encryption/EncryptionCard.tsx";
import { HeldNoticesCard } from "../../features/held/HeldNoticesCard.tsx";
import { LogCard } from "../../features/mailLog/LogCard.tsx";
import { PasskeysCard } from "../../features/passkeys/PasskeysCard.tsx";
import { IdentitiesCard } from "../../features/session/IdentitiesCard.tsx";
import { SessionsCard } from "../../features/session/SessionsCard.tsx";
import { TwoFactorCard } from "../../features/session/twoFactor/TwoFactorCard.tsx";
import { WebhooksCard } from "../../features/webhooks/WebhooksCard.tsx";
import { Guarded } from "../../loading/Guarded.tsx";
import { addressText } from "../../navigation/address.ts";
import { useTheme } from "../../react/ThemeProvider.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { LinkRow, SettingRows } from "../../ui/layout/SettingRow.tsx";
import type { SettingsSectionId } from "./settingsSections.ts";

/** The theme setting (SG1). */
const AppearanceCard = () => {
  const { theme, choose } = useTheme();
  return (
    <SectionCard id="appearance" title="Appearance" level={3}>
      <Switch
        label="Dark theme"
        description="Remembered on this device. Until you choose, the page follows your system."
        isOn={theme === "dark"}
        onChange={(isDark) => choose(isDark ? "dark" : "light")}
      />
    </SectionCard>
  );
};

/** Leads to what other screens show of the account. */
const YourAccountCard = () => (
  <SectionCard id="your-account" title="Your account" level={3}>
    <SettingRows>
      <LinkRow
        href={addressText(["account"])}
        title="Usage, score and email address"
        text="What you have used this month, what makes your account safer, and the address that you log in with."
      />
      <LinkRow
        href={addressText(["settings", "data"])}
        title="Your data"
        text="Export what this server knows of you, before you delete your account."
      />
    </SettingRows>
  </SectionCard>
);

/** Leads to the dialogs that belong to the list of masks. */
const MaskListCard = () => (
  <SectionCard id="mask-list" title="List of masks" level={3}>
    <SettingRows>
      <LinkRow
        href={addressText(["masks", "view"])}
        title="Sort and view"
        text="Cards or rows, their order, and how many are on a page."
      />
      <LinkRow
        href={addressText(["masks", "labels"])}
        title="Labels"
        text="Rename, color and delete the labels of your masks."
      />
      <LinkRow
        href={addressText(["masks", "deleted"])}
        title="Deleted masks"
        text="Restore a mask, or delete it for good."
      />
    </SettingRows>
  </SectionCard>
);

const content: Readonly<Record<SettingsSectionId, ComponentType>> = {
  account: () => (
    <>
      <AppearanceCard />
      <YourAccountCard />
      <Guarded part="single sign-on">
        <IdentitiesCard />
      </Guarded>
      <Guarded part="account deletion">
        <DeleteAccountSection />
      </Guarded>
    </>
  ),
  mail: () => (
    <>
      <Guarded part="addresses">
        <DestinationsCard />
      </Guarded>
      <Guarded part="forwarded mail">
        <SenderDisplayCard />
      </Guarded>
      <Guarded part="links in mail">
        <ActionLinksCard />
      </Guarded>
      <Guarded part="mailing lists">
        <UnsubscribeCard />
      </Guarded>
      <Guarded part="invitations">
        <CalendarsCard />
      </Guarded>
      <Guarded part="tags">
        <MaskTagsCard />
      </Guarded>
      <Guarded part="held mail">
        <HeldNoticesCard />
      </Guarded>
      <LogCard />
    </>
  ),
  masks: () => (
    <>
      <Guarded part="new masks">
        <NewMasksCard />
      </Guarded>
      <MaskListCard />
    </>
  ),
  security: () => (
    <>
      <Guarded part="passkeys">
        <PasskeysCard />
      </Guarded>
      <Guarded part="two-factor">
        <TwoFactorCard />
      </Guarded>
      <Guarded part="encryption">
        <EncryptionCard />
      </Guarded>
      <Guarded part="sessions">
        <SessionsCard />
      </Guarded>
    </>
  ),
  privacy: () => (
    <Guarded part="AI features">
      <AiSection />
    </Guarded>
  ),
  domains: () => (
    <Guarded part="domains">
      <DomainsCard />
    </Guarded>
  ),
  programs: () => (
    <>
      <Guarded part="API tokens">
        <ApiTokensCard />
      </Guarded>
      <Guarded part="webhooks">
        <WebhooksCard />
      </Guarded>
      <Guarded part="mail programs">
        <AppPasswordsCard />
      </Guarded>
    </>
  ),
  data: () => (
    <>
      <Guarded part="export">
        <ExportCard />
      </Guarded>
      <Guarded part="import">
        <ImportCard />
      </Guarded>
    </>
  ),
};

/** The cards of a section of the settings (SG1). */
export const SectionContent = ({ section }: { readonly section: SettingsSectionId }) => {
  const Content = content[section];
  return <Content />;
};
