import { createContext, useContext } from "react";
import { SectionCard, type SectionCardProps } from "../ui/layout/SectionCard.tsx";

/** The id and title of the settings card that is shown inside, as its entry in the table of the settings has them. */
export const CardEntry = createContext<Pick<SectionCardProps, "id" | "title">>({ id: "", title: "" });

/** A card of the settings; its entry has its id and title. */
export const SettingsCard = (props: Omit<SectionCardProps, "id" | "title" | "level">) => (
  <SectionCard level={3} {...useContext(CardEntry)} {...props} />
);
