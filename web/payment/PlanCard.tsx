import type { Plan } from "../../core/tiers/plan.ts";
import { classes } from "../ui/classes.ts";
import { dollarsOf } from "../wording/dollars.ts";
import styles from "./PlanCard.module.css";

interface PlanCardProps {
  readonly plan: Plan;
  /** The group of radio buttons it belongs to. */
  readonly name: string;
  readonly isChosen: boolean;
  readonly isUnavailable: boolean;
  readonly onChoose: () => void;
}

const number = new Intl.NumberFormat("en");

const masksOf = (plan: Plan): string =>
  plan.masks === null ? "Unlimited masks" : `${number.format(plan.masks)} masks`;

/** One plan of the choice: what it costs and what it holds. */
export const PlanCard = ({ plan, name, isChosen, isUnavailable, onChoose }: PlanCardProps) => (
  <label className={classes(styles.plan, isUnavailable && styles.unavailable)}>
    <input
      className={styles.input}
      type="radio"
      name={name}
      value={plan.tier}
      checked={isChosen}
      disabled={isUnavailable}
      onChange={onChoose}
    />
    <span className={styles.name}>{plan.name}</span>
    <span className={styles.price}>{plan.price === 0 ? "$0" : dollarsOf(plan.price)}</span>
    <span className={styles.month}>a month</span>
    <span className={styles.limit}>{masksOf(plan)}</span>
    <span className={styles.limit}>{number.format(plan.emailsPerMonth)} e-mails a month</span>
    {isUnavailable && <span className={styles.note}>Payment is not set up on this server</span>}
  </label>
);
