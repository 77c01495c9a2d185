import { useId } from "react";
import type { Plan } from "../../core/tiers/plan.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import { PlanCard } from "./PlanCard.tsx";
import styles from "./PlanChoice.module.css";

interface PlanChoiceProps {
  readonly plans: readonly Plan[];
  readonly chosen: Tier;
  readonly onChoose: (tier: Tier) => void;
  /** Whether a plan cannot be had here. */
  readonly isUnavailable?: (plan: Plan) => boolean;
}

/** Plans beside each other, one of them chosen. */
export const PlanChoice = ({ plans, chosen, onChoose, isUnavailable }: PlanChoiceProps) => {
  const name = useId();
  return (
    <fieldset className={styles.plans}>
      <legend className="visually-hidden">Plan</legend>
      {plans.map((plan) => (
        <PlanCard
          key={plan.tier}
          plan={plan}
          name={name}
          isChosen={plan.tier === chosen}
          isUnavailable={isUnavailable?.(plan) ?? false}
          onChoose={() => onChoose(plan.tier)}
        />
      ))}
    </fieldset>
  );
};
