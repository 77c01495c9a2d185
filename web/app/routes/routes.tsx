import type { ComponentType, ReactNode } from "react";
import { MasksSkeleton } from "../../features/masks/list/MasksSkeleton.tsx";
import { type Chunk, createChunk } from "../../loading/chunk.ts";
import type { PageParams, PageProps } from "../../navigation/pageProps.ts";
import type { Route } from "../../navigation/route.ts";
import { Skeleton, type SkeletonHeight, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { AccountIcon } from "../../ui/icons/AccountIcon.tsx";
import { ClockIcon } from "../../ui/icons/ClockIcon.tsx";
import type { IconProps } from "../../ui/icons/IconFrame.tsx";
import { InboxIcon } from "../../ui/icons/InboxIcon.tsx";
import { InsightsIcon } from "../../ui/icons/InsightsIcon.tsx";
import { KeyboardIcon } from "../../ui/icons/KeyboardIcon.tsx";
import { MailIcon } from "../../ui/icons/MailIcon.tsx";
import { RulesIcon } from "../../ui/icons/RulesIcon.tsx";
import { ServerIcon } from "../../ui/icons/ServerIcon.tsx";
import { SettingsIcon } from "../../ui/icons/SettingsIcon.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import styles from "../../ui/layout/Panels.module.css";
import { masksScreen } from "../firstChunks.ts";

/** One of the five tabs of the signed-in page (SH1). */
export interface Tab extends Route {
  readonly path: readonly [string];
  readonly icon: ComponentType<IconProps>;
  readonly chunk: Chunk<ComponentType>;
  /** The placeholder while the code is loaded, with the tab's heading. */
  readonly skeleton: ReactNode;
  /** True if a press on the tab leads back from what its address names besides. */
  readonly startsOver?: true;
}

/** A page without a tab of its own, shown over the tab that it was opened from. */
export interface Page extends Route {
  readonly chunk: Chunk<ComponentType<PageProps>>;
  /** True if the header of a wide screen has a link to it. */
  readonly isInHeader?: true;
  /** Returns what an address outside of the fragment shows on the page; null for addresses that lead elsewhere. */
  readonly paramsAt?: (location: Location) => PageParams | null;
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
  path: ["masks"],
  title: "Masks",
  icon: MailIcon,
  chunk: masksScreen,
  skeleton: <MasksSkeleton />,
};

/** The tabs, in the order of the navigation. */
export const tabs: readonly Tab[] = [
  masksTab,
  {
    path: ["rules"],
    title: "Rules",
    icon: RulesIcon,
    chunk: createChunk(
      () => import("../../features/rules/RulesTab.tsx"),
      (module) => module.RulesTab,
    ),
    skeleton: cardSkeletons("Custom Rules", "card"),
  },
  {
    path: ["insights"],
    title: "Insights",
    icon: InsightsIcon,
    chunk: createChunk(
      () => import("../../features/insights/InsightsTab.tsx"),
      (module) => module.InsightsTab,
    ),
    skeleton: cardSkeletons("Email Insights", "card"),
  },
  {
    path: ["settings"],
    title: "Settings",
    icon: SettingsIcon,
    chunk: createChunk(
      () => import("../settings/SettingsTab.tsx"),
      (module) => module.loadSettingsTab(),
    ),
    skeleton: cardSkeletons("Settings", "part"),
    startsOver: true,
  },
  {
    path: ["account"],
    title: "Account",
    icon: AccountIcon,
    chunk: createChunk(
      () => import("../../features/account/AccountTab.tsx"),
      (module) => module.AccountTab,
    ),
    skeleton: cardSkeletons("Your Account", "card", "part"),
  },
];

/** The fragment of a call's address at /developers, which is all that is left of it after a sign-in. */
const callAddress = /^#(?:get|post|put|patch|delete)-/;

/** The pages without a tab, in the order in which they are offered. */
export const pages: readonly Page[] = [
  {
    path: ["held"],
    title: "Held mail",
    icon: InboxIcon,
    isInMenu: true,
    isInHeader: true,
    chunk: createChunk(
      () => import("../../features/held/HeldPage.tsx"),
      (module) => module.HeldPage,
    ),
  },
  {
    path: ["mailbox"],
    title: "Mail in the app",
    icon: MailIcon,
    isInMenu: true,
    chunk: createChunk(
      () => import("../../features/archive/MailboxPage.tsx"),
      (module) => module.MailboxPage,
    ),
  },
  {
    path: ["log"],
    title: "Log",
    icon: ClockIcon,
    isInMenu: true,
    isInHeader: true,
    chunk: createChunk(
      () => import("../../features/mailLog/LogPage.tsx"),
      (module) => module.LogPage,
    ),
  },
  {
    path: ["developers"],
    title: "Developers",
    icon: KeyboardIcon,
    chunk: createChunk(
      () => import("../developers/DevelopersPage.tsx"),
      (module) => module.DevelopersPage,
    ),
    paramsAt: ({ pathname, hash }) =>
      pathname.endsWith("/developers") || callAddress.test(hash) ? { call: hash.slice(1) } : null,
  },
  {
    path: ["mask"],
    title: "Mask",
    chunk: createChunk(
      () => import("../../features/maskPage/MaskPage.tsx"),
      (module) => module.MaskPage,
    ),
  },
  {
    path: ["account", "operator"],
    title: "Operator",
    icon: ServerIcon,
    isInMenu: true,
    isForOperators: true,
    chunk: createChunk(
      () => import("../../features/operator/OperatorPage.tsx"),
      (module) => module.OperatorPage,
    ),
    paramsAt: ({ pathname }) => (pathname.endsWith("/operator") ? {} : null),
  },
];
