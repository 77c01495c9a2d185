import type { ReactNode } from "react";
import { addressText } from "../../navigation/address.ts";
import { AccountIcon } from "../../ui/icons/AccountIcon.tsx";
import { DataIcon } from "../../ui/icons/DataIcon.tsx";
import { EyeIcon } from "../../ui/icons/EyeIcon.tsx";
import { GlobeIcon } from "../../ui/icons/GlobeIcon.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { MaskIcon } from "../../ui/icons/MaskIcon.tsx";
import { ProgramIcon } from "../../ui/icons/ProgramIcon.tsx";
import { ShieldIcon } from "../../ui/icons/ShieldIcon.tsx";
import { SectionedPage } from "../../ui/layout/SectionedPage.tsx";
import { SectionContent } from "./SectionContent.tsx";
import { type SettingsSectionId, settingsSections } from "./settingsSections.ts";
import { useSettingsPlace } from "./useSettingsPlace.ts";

const icons: Readonly<Record<SettingsSectionId, ReactNode>> = {
  account: <AccountIcon />,
  mail: <MailIcon />,
  masks: <MaskIcon />,
  security: <ShieldIcon />,
  privacy: <EyeIcon />,
  domains: <GlobeIcon />,
  programs: <ProgramIcon />,
  data: <DataIcon />,
};

const navigation = settingsSections.map(({ id, label, text }) => ({
  id,
  label,
  text,
  href: addressText(["settings", id]),
  icon: icons[id],
}));

/** The section that a wide screen shows beside the navigation before one is chosen. */
const firstSection = "account" satisfies SettingsSectionId;

/** The settings tab: its sections, one at a time (SG1). */
export const SettingsTab = () => {
  const { section, page, heading } = useSettingsPlace();
  const current = section ?? firstSection;
  const shown = settingsSections.find(({ id }) => id === current);
  return (
    <SectionedPage
      ref={page}
      title="Settings"
      label="Settings sections"
      sections={navigation}
      current={current}
      isIndex={section === null}
      back={{ href: addressText(["settings"]), label: "All settings" }}
      heading={shown?.title ?? ""}
      text={shown?.text ?? ""}
      headingRef={heading}
    >
      <SectionContent key={current} section={current} />
    </SectionedPage>
  );
};
