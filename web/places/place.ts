import { createContext } from "react";

/** The five sections of the signed-in page (SH1). */
export type TabId = "masks" | "rules" | "insights" | "settings" | "account";

/** A part of a tab that other screens lead to. */
export type Section = "security" | "content-access" | "plan" | "archive";

/** Where something is done: a tab, and the part of it that is meant. */
export interface Place {
  readonly tab: TabId;
  readonly section?: Section;
}

/** The way from one screen to another. */
export interface Journey {
  readonly go: (place: Place) => void;
  /** The section on the way to which somebody is; null when nobody is. */
  readonly wanted: Section | null;
  /** It is in sight. */
  readonly arrived: () => void;
}

export const JourneyContext = createContext<Journey>({
  go: () => {},
  wanted: null,
  arrived: () => {},
});
