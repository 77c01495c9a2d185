import type { ComponentType, ReactNode } from "react";
import { type Chunk, makeChunk } from "../loading/chunk.ts";
import type { TabId } from "../places/place.ts";
import { AccountIcon } from "../ui/icons/AccountIcon.tsx";
import { InsightsIcon } from "../ui/icons/InsightsIcon.tsx";
import { MailIcon } from "../ui/icons/MailIcon.tsx";
import { RulesIcon } from "../ui/icons/RulesIcon.tsx";
import { SettingsIcon } from "../ui/icons/SettingsIcon.tsx";
import { masksScreen } from "./masksScreen.ts";

export interface Tab {
  readonly id: TabId;
  readonly label: string;
  readonly icon: ReactNode;
  readonly chunk: Chunk<ComponentType>;
}

const tab = (id: TabId, label: string, icon: ReactNode, chunk: Chunk<ComponentType>): Tab => ({
  id,
  label,
  icon,
  chunk,
});

export const masksTab: Tab = tab("masks", "Masks", <MailIcon />, masksScreen);

export const tabs: readonly Tab[] = [
  masksTab,
  tab(
    "rules",
    "Rules",
    <RulesIcon />,
    makeChunk(
      () => import("../rules/RulesTab.tsx"),
      (module) => module.RulesTab,
    ),
  ),
  tab(
    "insights",
    "Insights",
    <InsightsIcon />,
    makeChunk(
      () => import("../insights/InsightsTab.tsx"),
      (module) => module.InsightsTab,
    ),
  ),
  tab(
    "settings",
    "Settings",
    <SettingsIcon />,
    makeChunk(
      () => import("../settings/SettingsTab.tsx"),
      (module) => module.SettingsTab,
    ),
  ),
  tab(
    "account",
    "Account",
    <AccountIcon />,
    makeChunk(
      () => import("../account/AccountTab.tsx"),
      (module) => module.AccountTab,
    ),
  ),
];
