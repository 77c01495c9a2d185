import type { Account } from "../../core/account/accountDetails.ts";
import { tiers } from "../../core/tiers/tier.ts";
import { useApp } from "../binding/useApp.ts";
import { useOpening } from "../loading/useOpening.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import { longDate } from "../wording/dates.ts";
import { LatePaymentDialog } from "./LatePaymentDialog.tsx";
import styles from "./PlanButtons.module.css";
import type { Payments } from "./paymentsPart.ts";
import { useBillingPage } from "./useBillingPage.ts";

interface PlanButtonsProps {
  readonly account: Account;
}

const overdue: Readonly<Record<string, string>> = {
  past_due: "The last payment has failed. To keep the plan, check your card under Manage Plan.",
  unpaid: "A payment is still open, so the plan has stopped. Settle it under Manage Plan.",
  paused: "The plan is paused. Take it up again under Manage Plan.",
};

/** What there is to know of the payment besides that all is well. */
const PlanState = ({ subscription }: Pick<Account, "subscription">) => {
  const { status, endsAt } = subscription;
  const warning = overdue[status];
  return (
    <>
      {warning !== undefined && <Banner kind="warning">{warning}</Banner>}
      {endsAt !== undefined && (
        <p className={styles.note}>The plan is cancelled and ends on {longDate(endsAt)}.</p>
      )}
    </>
  );
};

const Buttons = ({ account, payments }: PlanButtonsProps & { readonly payments: Payments }) => {
  const { wanted, isOpen, open, close } = useOpening();
  const [upgrading, managing] = [useBillingPage(payments), useBillingPage(payments)];
  const { tier, isPaid = false } = account.subscription;
  const problem = upgrading.problem ?? managing.problem;
  const choice = tiers.slice(tiers.indexOf(tier) + 1);
  const hasMore = tier !== "pro_premium" && tier !== "business";

  const upgrade = (): void => {
    managing.forget();
    if (isPaid) upgrading.run("upgrade");
    else open();
  };
  return (
    <>
      <div className={styles.buttons}>
        {hasMore && (
          <Button variant="primary" onPress={upgrade} isPending={upgrading.isRunning}>
            Upgrade Plan
          </Button>
        )}
        <Button
          onPress={() => {
            upgrading.forget();
            managing.run("manage");
          }}
          isPending={managing.isRunning}
        >
          Manage Plan
        </Button>
      </div>
      <PlanState subscription={account.subscription} />
      <ProblemBanner problem={problem} />
      {wanted && <LatePaymentDialog isOpen={isOpen} onClose={close} choice={choice} />}
    </>
  );
};

const loading = (
  <SkeletonRegion label="Loading">
    <Skeleton width="16ch" height="2.5rem" shape="block" />
  </SkeletonRegion>
);

/**
 * The ways to another plan (AC1): Upgrade Plan, not for who has the highest, and Manage Plan. Who pays for none is shown
 * the payment window; who pays already changes the plan on the billing page, in a tab of its own. Where no payment is
 * set up it says so (D38).
 */
export const PlanButtons = ({ account }: PlanButtonsProps) => {
  const { payments, configuration } = useApp();
  if (configuration.flags?.payments !== true)
    return <p className={styles.note}>Payment is not set up on this server.</p>;
  return (
    <WithPart late={payments} skeleton={loading}>
      {(part) => <Buttons account={account} payments={part} />}
    </WithPart>
  );
};
