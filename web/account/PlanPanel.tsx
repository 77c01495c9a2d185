import type { Account } from "../../core/account/accountDetails.ts";
import { labelOf } from "../../core/tiers/tier.ts";
import { PlanButtons } from "../payment/PlanButtons.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Card } from "../ui/Card.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { UsageBar } from "../ui/UsageBar.tsx";
import styles from "./AccountTab.module.css";

/** The plan, and how much of it is used this month (AC1). What is not known yet has a shape and no figure. */
export const PlanPanel = ({ account }: { readonly account: Account | null }) => {
  const usage = account?.usage;
  const limits = account?.limits;
  return (
    <Card
      as="section"
      aria-labelledby="plan"
      aria-busy={account === null}
      padding="roomy"
      className={styles.plan}
    >
      <div className={styles.head}>
        <h2 id="plan" className={styles.name}>
          Plan
        </h2>
        {account ? (
          <Badge kind="accent">{labelOf[account.subscription.tier]}</Badge>
        ) : (
          <Skeleton width="6ch" />
        )}
      </div>
      {usage && limits ? (
        <>
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
        </>
      ) : account ? (
        <p className={styles.unknown}>This server does not say how much of the plan is used.</p>
      ) : (
        <>
          <Skeleton height="2.25rem" shape="block" />
          <Skeleton height="2.25rem" shape="block" />
        </>
      )}
      {account && <PlanButtons account={account} />}
    </Card>
  );
};
