import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import styles from "./RulesTab.module.css";

/** The placeholder while rules load. */
export const RulesSkeleton = () => (
  <SkeletonRegion label="Loading rules">
    <div className={styles.list}>
      {[0, 1].map((n) => (
        <div key={n} className={styles.skeleton}>
          <Skeleton width="40%" />
          <Skeleton width="75%" />
        </div>
      ))}
    </div>
  </SkeletonRegion>
);
