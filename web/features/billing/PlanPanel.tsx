import { sellsPlans } from "../../../core/api/configuration.ts";
import type { Account } from "../../../core/session/user.ts";
import { labelOf } from "../../../core/tiers/tier.ts";
import { formatNumber } from "../../format/numbers.ts";
import { useFocusTarget } from "../../navigation/focus.ts";
import { useApp } from "../../react/useApp.ts";
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

const PlanSkeleton = ({ sells }: { readonly sells: boolean }) => (
  <SkeletonRegion
    label={sells ? "Loading your plan" : "Loading what the account uses"}
    className={styles.bars}
  >
    <Skeleton height="control" shape="block" />
    <Skeleton height="control" shape="block" />
  </SkeletonRegion>
);

interface FactProps {
  readonly label: string;
  readonly used: number | undefined;
  /** The most that there may be; none for as many as one likes. */
  readonly most: number | null | undefined;
}

const Fact = ({ label, used = 0, most = null }: FactProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{most === null ? formatNumber(used) : `${formatNumber(used)} of ${formatNumber(most)}`}</dd>
  </div>
);

/** Explains what the figures of masks and emails count. */
const CountedNote = () => (
  <p className={styles.muted}>
    Masks count whether they are switched on or off. Emails are those let through since the 1st, UTC: neither
    what was blocked nor mail of the service itself counts.
  </p>
);

/** The account's usage, where no plans are sold. */
const PlainUsage = ({ account: { usage, limits } }: { readonly account: Account }) => (
  <>
    <dl className={styles.facts}>
      {usage && <Fact label="Masks" used={usage.masks.total ?? usage.masks.active} most={limits?.maxMasks} />}
      {usage && (
        <Fact label="Emails this month" used={usage.emails.thisMonth} most={limits?.emailsPerMonth} />
      )}
      {limits?.repliesPerDay !== undefined && (
        <Fact label="Replies today" used={usage?.emails.repliedToday ?? 0} most={limits.repliesPerDay} />
      )}
      {limits && (
        <div>
          <dt>Storage</dt>
          <dd>{limits.storageLimit}</dd>
        </div>
      )}
      {limits && limits.historyRetention !== "unlimited" && (
        <div>
          <dt>History</dt>
          <dd>{limits.historyRetention}</dd>
        </div>
      )}
    </dl>
    {usage && <CountedNote />}
  </>
);

const Usage = ({ account: { usage, limits } }: { readonly account: Account }) => {
  const usedMasks = usage?.masks.total ?? usage?.masks.active;
  const usedEmails = usage?.emails.thisMonth;
  if (!limits)
    return <p className={styles.muted}>This server does not report how much of the plan is used.</p>;
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
          unit="emails"
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
      {usage && <CountedNote />}
    </div>
  );
};

/** Shows the plan, its usage this month, and the buttons that change the plan (AC1); where none is sold, the usage alone. */
export const PlanPanel = ({ account, isUnavailable }: AccountPanelProps) => {
  const heading = useFocusTarget<HTMLHeadingElement>("plan");
  const sells = sellsPlans(useApp().configuration);
  const isLoading = account === null && !isUnavailable;
  return (
    <SectionCard
      id="plan"
      title={sells ? "Plan" : "Usage"}
      titleRef={heading}
      isBusy={isLoading}
      aside={
        account ? (
          <Badge kind="accent">{labelOf[sells ? account.subscription.tier : "self_hosted"]}</Badge>
        ) : (
          isLoading && <Skeleton width="6ch" />
        )
      }
    >
      {isLoading && <PlanSkeleton sells={sells} />}
      {isUnavailable && (
        <p className={styles.muted}>
          {sells ? "Failed to get plan details" : "Failed to get what the account uses"}
        </p>
      )}
      {account && !sells && <PlainUsage account={account} />}
      {account && sells && (
        <>
          <Usage account={account} />
          <PlanButtons account={account} />
        </>
      )}
    </SectionCard>
  );
};
