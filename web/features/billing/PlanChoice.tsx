import { useId } from "react";
import type { Plan } from "../../../core/tiers/plan.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import { formatDollars, formatNumber } from "../../format/numbers.ts";
import { classes } from "../../ui/classes.ts";
import radio from "../../ui/form/Radio.module.css";
import styles from "./PlanChoice.module.css";

interface PlanCardProps {
  readonly plan: Plan;
  readonly name: string;
  readonly isChosen: boolean;
  readonly isUnavailable: boolean;
  readonly onChoose: () => void;
}

const formatMaskLimit = (plan: Plan): string =>
  plan.masks === null ? "Unlimited masks" : `${formatNumber(plan.masks)} masks`;

const formatMailLimit = ({ emailsPerMonth }: Plan): string =>
  emailsPerMonth === null ? "Unlimited emails" : `${formatNumber(emailsPerMonth)} emails a month`;

const PlanCard = ({ plan, name, isChosen, isUnavailable, onChoose }: PlanCardProps) => (
  <label className={classes(styles.plan, isUnavailable && styles.unavailable)}>
    <span className={styles.mark}>
      <input
        className={radio.input}
        type="radio"
        name={name}
        value={plan.tier}
        checked={isChosen}
        disabled={isUnavailable}
        onChange={onChoose}
      />
    </span>
    <span className={styles.name}>{plan.name}</span>
    <span className={styles.price}>{plan.price === 0 ? "$0" : formatDollars(plan.price)}</span>
    <span className={styles.month}>a month</span>
    <span className={styles.limit}>{formatMaskLimit(plan)}</span>
    <span className={styles.limit}>{formatMailLimit(plan)}</span>
    {isUnavailable && <span className={styles.note}>Payment is not set up on this server</span>}
  </label>
);

interface PlanChoiceProps {
  readonly plans: readonly Plan[];
  readonly chosen: Tier;
  readonly onChoose: (tier: Tier) => void;
  /** Returns whether the server cannot sell a plan. */
  readonly isUnavailable?: (plan: Plan) => boolean;
}

/** A radio group of plans. */
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
