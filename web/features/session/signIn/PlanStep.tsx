import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { sellsPlans } from "../../../../core/api/configuration.ts";
import { type Plan, plans } from "../../../../core/tiers/plan.ts";
import { limitsOf, parseTier, type Tier } from "../../../../core/tiers/tier.ts";
import { formatNumber } from "../../../format/numbers.ts";
import { fieldMessage, useFormAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";
import { LazyPaymentDialog } from "../../billing/LazyPaymentDialog.tsx";
import { PlanChoice } from "../../billing/PlanChoice.tsx";
import { InvitationField, invitationInAddress } from "./InvitationField.tsx";
import styles from "./PlanStep.module.css";

const needsPayment = (plan: Plan | undefined): boolean => plan !== undefined && plan.price > 0;

/** A plan that was paid before the account exists. */
interface Paid {
  readonly tier: Tier;
  readonly checkoutSessionId: string | undefined;
}

const introOf = (tier: Tier): string => {
  const { masks, emailsPerMonth } = limitsOf[tier];
  const most = [
    ...(masks === null ? [] : [`${formatNumber(masks)} masks`]),
    ...(emailsPerMonth === null ? [] : [`${formatNumber(emailsPerMonth)} emails a month`]),
  ];
  return most.length === 0
    ? "You can have as many masks as you like."
    : `Everybody on this server has ${most.join(" and ")}.`;
};

/** The plan choice of a new user (SI11, D36, D38). After a payment the choice is fixed and is not charged again. */
export const PlanStep = () => {
  const { signIn, configuration } = useApp();
  const state = useObservable(signIn.step$);
  const isBusy = useObservable(signIn.busy$);
  const [tier, setTier] = useState<Tier>("free");
  const [isPaying, setPaying] = useState(false);
  const [paid, setPaid] = useState<Paid | null>(null);
  const [invitation, setInvitation] = useState(() => invitationInAddress());
  const heading = useRef<HTMLHeadingElement>(null);
  const choice = useFormAction(signIn.choosePlan);
  const hasPayments = configuration.flags?.payments === true;
  const sells = sellsPlans(configuration);
  const chosen = plans.find((plan) => plan.tier === tier);
  const defaultTier = sells ? null : parseTier(configuration.defaultTier);
  useEffect(() => heading.current?.focus(), []);

  const needsInvitation = state.step === "plan" && state.needsInvitation === true;
  const { run } = choice;
  const invitationProblem = fieldMessage(choice.problem, "invitation");
  const invited = useMemo(() => (needsInvitation ? { invitation } : {}), [needsInvitation, invitation]);
  /** True after a payment until it is submitted, which waits while the previous step is busy (SI7). */
  const isWaiting = useRef(false);
  useEffect(() => {
    if (!paid || isBusy || !isWaiting.current) return;
    isWaiting.current = false;
    run(paid.tier, { checkoutSessionId: paid.checkoutSessionId, ...invited });
  }, [paid, isBusy, run, invited]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (paid) choice.run(paid.tier, { checkoutSessionId: paid.checkoutSessionId, ...invited });
    else if (needsPayment(chosen) && hasPayments) setPaying(true);
    else choice.run(tier, invited);
  };
  const submitLabel = defaultTier
    ? "Create account"
    : paid
      ? "Finish sign-up"
      : `Continue with ${chosen?.name}`;

  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <h2 className={styles.title} ref={heading} tabIndex={-1}>
          {defaultTier ? "Create your account" : "Choose a plan"}
        </h2>
        {state.step === "plan" && (
          <p className={styles.intro}>
            <strong>{state.email}</strong> is confirmed and new here.{" "}
            {defaultTier ? introOf(defaultTier) : "Choose a plan and your account is ready."}
          </p>
        )}
      </div>
      {defaultTier === null && !paid && (
        <PlanChoice
          plans={plans}
          chosen={tier}
          isUnavailable={(plan) => needsPayment(plan) && !hasPayments}
          onChoose={(next) => {
            setTier(next);
            choice.clearProblem();
          }}
        />
      )}
      {paid && <Banner kind="success">Paid. Your account is being created.</Banner>}
      {needsInvitation && (
        <InvitationField
          value={invitation}
          onChange={(typed) => {
            setInvitation(typed);
            choice.clearProblem();
          }}
          error={invitationProblem}
        />
      )}
      {invitationProblem === undefined && <ProblemBanner problem={choice.problem} />}
      <div className={styles.buttons}>
        <Button onPress={signIn.cancelPlan} isDisabled={choice.isRunning}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" isPending={isBusy || choice.isRunning}>
          {submitLabel}
        </Button>
      </div>
      {isPaying && (
        <LazyPaymentDialog
          isOpen
          buyer="new user"
          tier={tier}
          onClose={() => setPaying(false)}
          onPaid={(checkoutSessionId) => {
            isWaiting.current = true;
            setPaid({ tier, checkoutSessionId });
          }}
        />
      )}
    </form>
  );
};
