import type { Account } from "../../core/account/accountDetails.ts";
import { labelOf } from "../../core/tiers/tier.ts";
import { PlanButtons } from "../payment/PlanButtons.tsx";
import { useArrival } from "../places/useArrival.ts";
import { Badge } from "../ui/Badge.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import { UsageBar } from "../ui/UsageBar.tsx";
import styles from "./AccountTab.module.css";
import type { AccountPanelProps } from "./accountPanel.ts";

const loading = (
  <SkeletonRegion label="Loading your plan" className={styles.bars}>
    <Skeleton height="2.25rem" shape="block" />
    <Skeleton height="2.25rem" shape="block" />
  </SkeletonRegion>
);

const Usage = ({ account: { usage, limits } }: { readonly account: Account }) => {
  if (!usage || !limits)
    return <p className={styles.muted}>This server does not say how much of the plan is used.</p>;
  return (
    <div className={styles.bars}>
      <UsageBar
        label="Masks"
        used={usage.masks.total ?? usage.masks.active}
        limit={limits.maxMasks ?? undefined}
        unit="masks"
      />
      <UsageBar
        label="Emails this month"
        used={usage.emails.thisMonth}
        limit={limits.emailsPerMonth}
        unit="e-mails"
      />
      <dl className={styles.facts}>
        <div>
          <dt>Storage</dt>
          <dd>{limits.storageLimit}</dd>
        </div>
        <div>
          <dt>History</dt>
          <dd>{limits.historyRetention}</dd>
        </div>
      </dl>
    </div>
  );
};

/** The plan, how much of it is used this month, and the ways to another (AC1). */
export const PlanPanel = ({ account, isMissing }: AccountPanelProps) => {
  const heading = useArrival<HTMLHeadingElement>("plan");
  const isLoading = account === null && !isMissing;
  return (
    <SectionCard
      id="plan"
      title="Plan"
      titleRef={heading}
      isBusy={isLoading}
      aside={
        account ? (
          <Badge kind="accent">{labelOf[account.subscription.tier]}</Badge>
        ) : (
          isLoading && <Skeleton width="6ch" />
        )
      }
    >
      {isLoading && loading}
      {isMissing && <p className={styles.muted}>Failed to get plan details</p>}
      {account && (
        <>
          <Usage account={account} />
          <PlanButtons account={account} />
        </>
      )}
    </SectionCard>
  );
};
