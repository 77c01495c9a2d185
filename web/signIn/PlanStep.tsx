import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { type Plan, plans } from "../../core/tiers/plan.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { PlanCard } from "./PlanCard.tsx";
import styles from "./PlanStep.module.css";

const needsPayment = (plan: Plan): boolean => plan.price > 0;

/** The step of a new user: which plan (SI11, D36, D38). */
export const PlanStep = () => {
  const { signIn, configuration } = useApp();
  const now = useObservable(signIn.step$);
  const isHeld = useObservable(signIn.busy$);
  const [tier, setTier] = useState<Tier>("free");
  const name = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const choice = useAction(signIn.choosePlan);
  const hasPayments = configuration.flags?.payments === true;
  const chosen = plans.find((plan) => plan.tier === tier);
  useEffect(() => heading.current?.focus(), []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    choice.run(tier);
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <h2 className={styles.title} ref={heading} tabIndex={-1}>
          Choose a plan
        </h2>
        {now.step === "plan" && (
          <p className={styles.intro}>
            <strong>{now.email}</strong> is confirmed and new here. Choose a plan and your account is ready.
          </p>
        )}
      </div>
      <fieldset className={styles.plans}>
        <legend className="visually-hidden">Plan</legend>
        {plans.map((plan) => (
          <PlanCard
            key={plan.tier}
            plan={plan}
            name={name}
            isChosen={plan.tier === tier}
            isUnavailable={needsPayment(plan) && !hasPayments}
            onChoose={() => {
              setTier(plan.tier);
              choice.forget();
            }}
          />
        ))}
      </fieldset>
      {choice.problem && <Banner kind="error">{choice.problem.sentence}</Banner>}
      <div className={styles.buttons}>
        <Button onPress={signIn.cancelPlan} isDisabled={choice.isRunning}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" isPending={isHeld || choice.isRunning}>
          Continue with {chosen?.name}
        </Button>
      </div>
    </form>
  );
};
