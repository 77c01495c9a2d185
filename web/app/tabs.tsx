import type { ComponentType, ReactNode } from "react";
import { MasksSkeleton } from "../features/masks/list/MasksSkeleton.tsx";
import { type Chunk, createChunk } from "../loading/chunk.ts";
import type { TabId } from "../navigation/navigation.ts";
import { AccountIcon } from "../ui/icons/AccountIcon.tsx";
import { InsightsIcon } from "../ui/icons/InsightsIcon.tsx";
import { MailIcon } from "../ui/icons/MailIcon.tsx";
import { RulesIcon } from "../ui/icons/RulesIcon.tsx";
import { SettingsIcon } from "../ui/icons/SettingsIcon.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { Skeleton, SkeletonRegion } from "../ui/layout/Skeleton.tsx";
import { masksScreen } from "./firstChunks.ts";
import styles from "./tabs.module.css";

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
    createChunk(
      () => import("../features/rules/RulesTab.tsx"),
      (module) => module.RulesTab,
    ),
  ),
  tab(
    "insights",
    "Insights",
    <InsightsIcon />,
    createChunk(
      () => import("../features/insights/InsightsTab.tsx"),
      (module) => module.InsightsTab,
    ),
  ),
  tab(
    "settings",
    "Settings",
    <SettingsIcon />,
    createChunk(
      () => import("../features/settings/SettingsTab.tsx"),
      (module) => module.SettingsTab,
    ),
  ),
  tab(
    "account",
    "Account",
    <AccountIcon />,
    createChunk(
      () => import("../features/account/AccountTab.tsx"),
      (module) => module.AccountTab,
    ),
  ),
];

const cardSkeletons = (title: string, ...heights: readonly string[]): ReactNode => (
  <SkeletonRegion label={`Loading ${title}`} className={styles.tab}>
    <h1>{title}</h1>
    {heights.map((height) => (
      <Card key={height} padding="roomy">
        <Skeleton height={height} shape="block" />
      </Card>
    ))}
  </SkeletonRegion>
);

const skeletons: Readonly<Record<TabId, ReactNode>> = {
  masks: <MasksSkeleton />,
  rules: cardSkeletons("Custom Rules", "9rem"),
  insights: cardSkeletons("Email Insights", "8rem"),
  settings: cardSkeletons("Settings", "5.5rem"),
  account: cardSkeletons("Your Account", "9rem", "8rem"),
};

/** The placeholder of a tab while its code is loaded, with the tab's heading. */
export const TabSkeleton = ({ tab }: { readonly tab: TabId }) => skeletons[tab];
