import { Skeleton, SkeletonRegion } from "../../../ui/feedback/Skeleton.tsx";
import { PageHead } from "../../../ui/layout/layout.tsx";
import styles from "../MasksTab.module.css";
import card from "./MaskCard.module.css";

const shapes = ["first", "second", "third"];

/** Placeholder cards with the height of real ones. */
export const MaskCardSkeletons = () => (
  <SkeletonRegion label="Loading masks">
    <div className={styles.list}>
      {shapes.map((shape) => (
        <div key={shape} className={card.skeleton}>
          <Skeleton width="12ch" height="1.375rem" shape="block" />
          <Skeleton width="min(32ch, 100%)" height="1.75rem" shape="block" />
          <Skeleton width="min(44ch, 100%)" />
          <Skeleton height="3.25rem" shape="block" />
        </div>
      ))}
    </div>
  </SkeletonRegion>
);

/** The placeholder of the masks tab while its code loads. */
export const MasksSkeleton = () => (
  <>
    <PageHead title="Your Email Masks" />
    <MaskCardSkeletons />
  </>
);
