import type { ReactNode } from "react";
import { MasksSkeleton } from "../masks/MasksSkeleton.tsx";
import type { TabId } from "../places/place.ts";
import { Card } from "../ui/Card.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import styles from "./TabSkeleton.module.css";

const panels = (title: string, ...heights: readonly string[]): ReactNode => (
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
  rules: panels("Custom Rules", "9rem"),
  insights: panels("Email Insights", "8rem"),
  settings: panels("Settings", "5.5rem"),
  account: panels("Your Account", "9rem", "8rem"),
};

/** The shape of a tab while its code is fetched, under the heading it will have. */
export const TabSkeleton = ({ tab }: { readonly tab: TabId }) => skeletons[tab];
