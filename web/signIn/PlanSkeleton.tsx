import { plans } from "../../core/tiers/plan.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import styles from "./PlanStep.module.css";

/** The shape of the plan step while it is fetched. */
export const PlanSkeleton = () => (
  <SkeletonRegion label="Loading plans" className={styles.form}>
    <Skeleton width="10ch" height="1.625rem" shape="block" />
    <div className={styles.plans}>
      {plans.map((plan) => (
        <Skeleton key={plan.tier} height="9.5rem" shape="block" />
      ))}
    </div>
  </SkeletonRegion>
);
