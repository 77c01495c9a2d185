import { useRef } from "react";
import { type Billing, createPlanBilling } from "../../../core/billing/billing.ts";
import type { Account } from "../../../core/session/user.ts";
import { tiers } from "../../../core/tiers/tier.ts";
import { longDate } from "../../format/dates.ts";
import { useOpening } from "../../loading/useOpening.ts";
import { type Action, useFormAction } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { LazyPaymentDialog } from "./LazyPaymentDialog.tsx";
import styles from "./PlanButtons.module.css";

type Purpose = Parameters<Billing["portal"]>[0];

/** Opens the billing page in a new tab, synchronously because browsers block it later; closes it on failure. */
const useBillingPage = (billing: Billing): Action<[Purpose]> => {
  const tab = useRef<Window | null>(null);
  const action = useFormAction(billing.portal, {
    onSuccess: (url) => {
      if (tab.current) tab.current.location.href = url;
      else window.location.assign(url);
    },
    onProblem: () => tab.current?.close(),
  });
  return {
    ...action,
    run: (purpose) => {
      tab.current = window.open("", "_blank");
      action.run(purpose);
    },
  };
};

interface PlanButtonsProps {
  readonly account: Account;
}

const overdueTexts: Readonly<Record<string, string>> = {
  past_due: "The last payment has failed. To keep the plan, check your card under Manage Plan.",
  unpaid: "A payment is still open, so the plan has stopped. Settle it under Manage Plan.",
  paused: "The plan is paused. Resume it under Manage Plan.",
};

/** Shows a failed payment or a canceled plan; nothing when all is well. */
const PlanState = ({ subscription }: Pick<Account, "subscription">) => {
  const { status, endsAt } = subscription;
  const warning = overdueTexts[status];
  return (
    <>
      {warning !== undefined && <Banner kind="warning">{warning}</Banner>}
      {endsAt !== undefined && (
        <p className={styles.note}>The plan is cancelled and ends on {longDate(endsAt)}.</p>
      )}
    </>
  );
};

const BillingButtons = ({ account, billing }: PlanButtonsProps & { readonly billing: Billing }) => {
  const { opened, isOpen, open, close } = useOpening();
  const upgrading = useBillingPage(billing);
  const managing = useBillingPage(billing);
  const { tier, isPaid = false } = account.subscription;
  const problem = upgrading.problem ?? managing.problem;
  const choice = tiers.slice(tiers.indexOf(tier) + 1);
  const hasMore = tiers.indexOf(tier) < tiers.indexOf("pro_premium");

  const upgrade = (): void => {
    managing.clearProblem();
    upgrading.run("upgrade");
  };
  return (
    <>
      <div className={styles.buttons}>
        {hasMore && (
          <Button variant="primary" onPress={upgrade} isPending={upgrading.isRunning}>
            Upgrade Plan
          </Button>
        )}
        {hasMore && !isPaid && <Button onPress={() => open()}>Choose a plan here</Button>}
        <Button
          onPress={() => {
            upgrading.clearProblem();
            managing.run("manage");
          }}
          isPending={managing.isRunning}
        >
          Manage Plan
        </Button>
      </div>
      <PlanState subscription={account.subscription} />
      <ProblemBanner problem={problem} />
      {opened && <LazyPaymentDialog isOpen={isOpen} onClose={close} choice={choice} />}
    </>
  );
};

/**
 * Shows Upgrade Plan, except for the highest plan, and Manage Plan (AC1): both open the billing page in a new tab. Who does not
 * pay yet can also choose a plan and pay in a window of the app (AC6). A server without payments shows a notice instead
 * (D38), and nothing to users without limits (D48).
 */
export const PlanButtons = ({ account }: PlanButtonsProps) => {
  const { configuration } = useApp();
  const billing = useApp().feature(createPlanBilling);
  if (account.subscription.tier === "self_hosted") return null;
  if (configuration.flags?.payments !== true)
    return <p className={styles.note}>Payment is not set up on this server.</p>;
  return <BillingButtons account={account} billing={billing} />;
};
