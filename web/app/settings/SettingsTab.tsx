import type { ReactNode } from "react";
import { Guarded } from "../../loading/Guarded.tsx";
import { addressText } from "../../navigation/address.ts";
import { usePartTitle } from "../../navigation/partTitle.ts";
import { CardEntry } from "../../navigation/SettingsCard.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { SectionedPage } from "../../ui/layout/SectionedPage.tsx";
import { SettingRows } from "../../ui/layout/SettingRow.tsx";
import { loadCards, type SettingsEntry, type SettingsSection, settingsSections } from "./settingsSections.ts";
import { useSettingsPlace } from "./useSettingsPlace.ts";

const navigation = settingsSections.map(({ path, title, label, text, icon: Icon }) => ({
  id: path[1],
  label: label ?? title,
  text,
  href: addressText(path),
  icon: <Icon />,
}));

/** The cards of a section, the last of them as rows in one card (SG1). */
const Cards = ({ section }: { readonly section: SettingsSection }) => {
  const { title: sectionTitle, cards } = section;
  const rows = cards.filter(({ isRow }) => isRow);
  const show = ({ id, title, chunk }: SettingsEntry): ReactNode => {
    const Entry = chunk?.loaded();
    return (
      Entry && (
        <CardEntry key={id} value={{ id, title: title ?? sectionTitle }}>
          <Guarded part={id}>
            <Entry />
          </Guarded>
        </CardEntry>
      )
    );
  };
  return (
    <>
      {cards.filter(({ isRow }) => !isRow).map(show)}
      {rows.length > 0 && (
        <Card>
          <SettingRows>{rows.map(show)}</SettingRows>
        </Card>
      )}
    </>
  );
};

/** The settings tab: its sections, one at a time (SG1). */
const SettingsTab = () => {
  const { section, shown, page, heading } = useSettingsPlace();
  usePartTitle(section && (section.label ?? section.title));
  return (
    <SectionedPage
      ref={page}
      title="Settings"
      label="Settings sections"
      sections={navigation}
      current={shown.path[1]}
      isIndex={section === null}
      back={{ href: addressText(["settings"]), label: "All settings" }}
      heading={shown.title}
      text={shown.text}
      headingRef={heading}
    >
      <Cards key={shown.title} section={shown} />
    </SectionedPage>
  );
};

/** Loads the settings tab with all of its cards, so that they are there when it is shown. */
export const loadSettingsTab = async () => {
  await loadCards();
  return SettingsTab;
};
