import { sellsPlans } from "../../../../core/api/configuration.ts";
import { plans } from "../../../../core/tiers/plan.ts";
import { useApp } from "../../../react/useApp.ts";
import { Skeleton, SkeletonRegion } from "../../../ui/feedback/Skeleton.tsx";
import styles from "./PlanStep.module.css";
import formStyles from "./SignInForm.module.css";

/** The placeholder of the code form while it is loaded. */
export const CodeSkeleton = () => (
  <SkeletonRegion label="Loading the code entry" className={formStyles.form}>
    <Skeleton height="control" shape="block" />
    <Skeleton height="row" shape="block" />
    <Skeleton height="control" shape="block" />
  </SkeletonRegion>
);

/** The placeholder of the plan step while it is loaded. */
export const PlanSkeleton = () => {
  const sells = sellsPlans(useApp().configuration);
  return (
    <SkeletonRegion label={sells ? "Loading plans" : "Loading"} className={styles.form}>
      <Skeleton width="10ch" height="title" shape="block" />
      {sells && (
        <div className={styles.plans}>
          {plans.map((plan) => (
            <Skeleton key={plan.tier} height="card" shape="block" />
          ))}
        </div>
      )}
    </SkeletonRegion>
  );
};
