import { Guarded } from "../../loading/Guarded.tsx";
import { addressText } from "../../navigation/address.ts";
import { CardEntry } from "../../navigation/SettingsCard.tsx";
import { SectionedPage } from "../../ui/layout/SectionedPage.tsx";
import { loadCards, type SettingsSection, settingsSections } from "./settingsSections.ts";
import { useSettingsPlace } from "./useSettingsPlace.ts";

const navigation = settingsSections.map(({ path, title, label, text, icon: Icon }) => ({
  id: path[1],
  label: label ?? title,
  text,
  href: addressText(path),
  icon: <Icon />,
}));

/** The cards of a section (SG1). */
const Cards = ({ section: { title: sectionTitle, cards } }: { readonly section: SettingsSection }) =>
  cards.map(({ id, title, chunk }) => {
    const Card = chunk?.loaded();
    return (
      Card && (
        <CardEntry key={id} value={{ id, title: title ?? sectionTitle }}>
          <Guarded part={id}>
            <Card />
          </Guarded>
        </CardEntry>
      )
    );
  });

/** The settings tab: its sections, one at a time (SG1). */
const SettingsTab = () => {
  const { section, shown, page, heading } = useSettingsPlace();
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
