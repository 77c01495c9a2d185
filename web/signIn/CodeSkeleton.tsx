import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import styles from "./SignInForm.module.css";

/** The shape of the code entry while it is fetched. */
export const CodeSkeleton = () => (
  <SkeletonRegion label="Loading the code entry" className={styles.form}>
    <Skeleton height="3rem" shape="block" />
    <Skeleton height="5rem" shape="block" />
    <Skeleton height="3rem" shape="block" />
  </SkeletonRegion>
);
