import { createContext, type ReactNode, useContext } from "react";
import { SectionCard, type SectionCardProps } from "../ui/layout/SectionCard.tsx";
import { SettingRow, type SettingRowProps } from "../ui/layout/SettingRow.tsx";

/** The id and title of the settings card that is shown inside, as its entry in the table of the settings has them. */
export const CardEntry = createContext<Pick<SectionCardProps, "id" | "title">>({ id: "", title: "" });

/** A card of the settings; its entry has its id and title. */
export const SettingsCard = (props: Omit<SectionCardProps, "id" | "title" | "level">) => (
  <SectionCard level={3} {...useContext(CardEntry)} {...props} />
);

interface SettingsRowProps extends Omit<SettingRowProps, "id" | "title" | "text"> {
  readonly text: string;
  readonly isBusy?: boolean;
  /** Stands above the setting. */
  readonly notice?: ReactNode;
}

/** A setting as a row of a card that several share; its entry has its id and title. */
export const SettingsRow = ({ isBusy, notice, ...row }: SettingsRowProps) => {
  const { id, title } = useContext(CardEntry);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-labelledby={id} aria-busy={isBusy}>
      {notice}
      <SettingRow {...row} id={id} title={title} />
    </div>
  );
};
