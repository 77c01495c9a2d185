import type { ComponentType, ReactNode } from "react";
import { MasksSkeleton } from "../features/masks/list/MasksSkeleton.tsx";
import { type Chunk, createChunk } from "../loading/chunk.ts";
import { Skeleton, type SkeletonHeight, SkeletonRegion } from "../ui/feedback/Skeleton.tsx";
import { AccountIcon } from "../ui/icons/AccountIcon.tsx";
import { InsightsIcon } from "../ui/icons/InsightsIcon.tsx";
import { MailIcon } from "../ui/icons/MailIcon.tsx";
import { RulesIcon } from "../ui/icons/RulesIcon.tsx";
import { SettingsIcon } from "../ui/icons/SettingsIcon.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { masksScreen } from "./firstChunks.ts";
import styles from "./tabs.module.css";

/** The five tabs of the signed-in page (SH1). */
export type TabId = "masks" | "rules" | "insights" | "settings" | "account";

export interface Tab {
  readonly id: TabId;
  readonly label: string;
  readonly icon: ReactNode;
  readonly chunk: Chunk<ComponentType>;
  /** The placeholder while the code is loaded, with the tab's heading. */
  readonly skeleton: ReactNode;
}

const cardSkeletons = (title: string, ...heights: readonly SkeletonHeight[]): ReactNode => (
  <SkeletonRegion label={`Loading ${title}`} className={styles.tab}>
    <h1>{title}</h1>
    {heights.map((height) => (
      <Card key={height}>
        <Skeleton height={height} shape="block" />
      </Card>
    ))}
  </SkeletonRegion>
);

export const masksTab: Tab = {
  id: "masks",
  label: "Masks",
  icon: <MailIcon />,
  chunk: masksScreen,
  skeleton: <MasksSkeleton />,
};

export const tabs: readonly Tab[] = [
  masksTab,
  {
    id: "rules",
    label: "Rules",
    icon: <RulesIcon />,
    chunk: createChunk(
      () => import("../features/rules/RulesTab.tsx"),
      (module) => module.RulesTab,
    ),
    skeleton: cardSkeletons("Custom Rules", "card"),
  },
  {
    id: "insights",
    label: "Insights",
    icon: <InsightsIcon />,
    chunk: createChunk(
      () => import("../features/insights/InsightsTab.tsx"),
      (module) => module.InsightsTab,
    ),
    skeleton: cardSkeletons("Email Insights", "card"),
  },
  {
    id: "settings",
    label: "Settings",
    icon: <SettingsIcon />,
    chunk: createChunk(
      () => import("./settings/SettingsTab.tsx"),
      (module) => module.SettingsTab,
    ),
    skeleton: cardSkeletons("Settings", "part"),
  },
  {
    id: "account",
    label: "Account",
    icon: <AccountIcon />,
    chunk: createChunk(
      () => import("../features/account/AccountTab.tsx"),
      (module) => module.AccountTab,
    ),
    skeleton: cardSkeletons("Your Account", "card", "part"),
  },
];
