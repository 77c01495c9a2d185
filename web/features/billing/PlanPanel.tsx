import type { Account } from "../../../core/session/user.ts";
import { labelOf } from "../../../core/tiers/tier.ts";
import { useFocusOnNavigate } from "../../navigation/navigation.ts";
import { Badge } from "../../ui/Badge.tsx";
import { UsageBar } from "../../ui/feedback/ProgressBar.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import styles from "../../ui/layout/Panels.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { PlanButtons } from "./PlanButtons.tsx";

/** The props that each panel of the account tab takes. */
export interface AccountPanelProps {
  /** Null until the account is loaded. */
  readonly account: Account | null;
  /** True when loading has failed and nothing is cached. */
  readonly isUnavailable: boolean;
}

const skeleton = (
  <SkeletonRegion label="Loading your plan" className={styles.bars}>
    <Skeleton height="control" shape="block" />
    <Skeleton height="control" shape="block" />
  </SkeletonRegion>
);

const Usage = ({ account: { usage, limits } }: { readonly account: Account }) => {
  const usedMasks = usage?.masks.total ?? usage?.masks.active;
  const usedEmails = usage?.emails.thisMonth;
  if (!limits) return <p className={styles.muted}>This server does not say how much of the plan is used.</p>;
  return (
    <div className={styles.bars}>
      {usedMasks !== undefined && (
        <UsageBar label="Masks" used={usedMasks} limit={limits.maxMasks ?? undefined} unit="masks" />
      )}
      {usedEmails !== undefined && (
        <UsageBar
          label="Emails this month"
          used={usedEmails}
          limit={limits.emailsPerMonth ?? undefined}
          unit="e-mails"
        />
      )}
      {limits.repliesPerDay !== undefined && (
        <UsageBar
          label="Replies today"
          used={usage?.emails.repliedToday ?? 0}
          limit={limits.repliesPerDay}
          unit="replies"
        />
      )}
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

/** Shows the plan, its usage this month, and the buttons that change the plan (AC1). */
export const PlanPanel = ({ account, isUnavailable }: AccountPanelProps) => {
  const heading = useFocusOnNavigate<HTMLHeadingElement>("plan");
  const isLoading = account === null && !isUnavailable;
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
      {isLoading && skeleton}
      {isUnavailable && <p className={styles.muted}>Failed to get plan details</p>}
      {account && (
        <>
          <Usage account={account} />
          <PlanButtons account={account} />
        </>
      )}
    </SectionCard>
  );
};
