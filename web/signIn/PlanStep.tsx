import { type FormEvent, useEffect, useRef, useState } from "react";
import { type Plan, plans } from "../../core/tiers/plan.ts";
import { labelOf, type Tier, tierNamed } from "../../core/tiers/tier.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { LatePaymentDialog } from "../payment/LatePaymentDialog.tsx";
import { PlanChoice } from "../payment/PlanChoice.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import styles from "./PlanStep.module.css";

const needsPayment = (plan: Plan | undefined): boolean => plan !== undefined && plan.price > 0;

/** A plan that was paid while there was no account yet. */
interface Paid {
  readonly tier: Tier;
  readonly checkoutSessionId: string | undefined;
}

/** The step of a new user: which plan (SI11, D36, D38). What was paid once is not paid again. */
export const PlanStep = () => {
  const { signIn, configuration } = useApp();
  const now = useObservable(signIn.step$);
  const isHeld = useObservable(signIn.busy$);
  const [tier, setTier] = useState<Tier>("free");
  const [isPaying, setPaying] = useState(false);
  const [paid, setPaid] = useState<Paid | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const choice = useAction(signIn.choosePlan);
  const hasPayments = configuration.flags?.payments === true;
  const chosen = plans.find((plan) => plan.tier === tier);
  const givenTier = hasPayments || !configuration.defaultTier ? null : tierNamed(configuration.defaultTier);
  useEffect(() => heading.current?.focus(), []);

  const { run } = choice;
  /** The form may still be held by the step before (SI7): what is paid is not forgotten over it. */
  const isWaiting = useRef(false);
  useEffect(() => {
    if (!paid || isHeld || !isWaiting.current) return;
    isWaiting.current = false;
    run(paid.tier, paid.checkoutSessionId);
  }, [paid, isHeld, run]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (paid) choice.run(paid.tier, paid.checkoutSessionId);
    else if (needsPayment(chosen) && hasPayments) setPaying(true);
    else choice.run(tier);
  };
  const submitLabel = givenTier ? "Continue" : paid ? "Finish sign-up" : `Continue with ${chosen?.name}`;

  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <h2 className={styles.title} ref={heading} tabIndex={-1}>
          {givenTier ? "Your plan" : "Choose a plan"}
        </h2>
        {now.step === "plan" && (
          <p className={styles.intro}>
            <strong>{now.email}</strong> is confirmed and new here.{" "}
            {givenTier
              ? `Everybody on this server has the ${labelOf[givenTier]} plan.`
              : "Choose a plan and your account is ready."}
          </p>
        )}
      </div>
      {givenTier === null && !paid && (
        <PlanChoice
          plans={plans}
          chosen={tier}
          isUnavailable={(plan) => needsPayment(plan) && !hasPayments}
          onChoose={(next) => {
            setTier(next);
            choice.forget();
          }}
        />
      )}
      {paid && <Banner kind="success">Paid. Your account is being made.</Banner>}
      <ProblemBanner problem={choice.problem} />
      <div className={styles.buttons}>
        <Button onPress={signIn.cancelPlan} isDisabled={choice.isRunning}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" isPending={isHeld || choice.isRunning}>
          {submitLabel}
        </Button>
      </div>
      {isPaying && (
        <LatePaymentDialog
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
