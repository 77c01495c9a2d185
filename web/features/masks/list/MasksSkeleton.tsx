import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Skeleton, SkeletonRegion } from "../../../ui/feedback/Skeleton.tsx";
import { PageHead } from "../../../ui/layout/layout.tsx";
import { RowsSkeleton } from "../../../ui/layout/RowsSkeleton.tsx";
import styles from "../MasksTab.module.css";
import card from "./MaskCard.module.css";

const shapes = ["first", "second", "third", "fourth", "fifth"];

/** Placeholder cards with the height of real ones. */
export const MaskCardSkeletons = () => (
  <SkeletonRegion label="Loading masks">
    <div className={styles.list}>
      {shapes.map((shape) => (
        <div key={shape} className={card.skeleton}>
          <Skeleton width="min(44ch, 100%)" height="title" shape="block" />
          <Skeleton />
        </div>
      ))}
    </div>
  </SkeletonRegion>
);

/** A placeholder with the heads and lines of rows. */
export const MaskRowSkeletons = () => (
  <SkeletonRegion label="Loading masks">
    <RowsSkeleton />
  </SkeletonRegion>
);

/** Keeps the place of the search and the filters, so that the list does not move when they appear. */
export const ToolbarSkeleton = () => (
  <div className={styles.toolbar}>
    <Skeleton height="control" shape="block" />
  </div>
);

/** The placeholder of the masks tab while its code loads: the shape of the list that the settings ask for. */
export const MasksSkeleton = () => {
  const { masks } = useSignedIn();
  const { layout } = useObservable(masks.settings$);
  return (
    <>
      <PageHead title="Your Email Masks" />
      <ToolbarSkeleton />
      {layout === "rows" ? <MaskRowSkeletons /> : <MaskCardSkeletons />}
    </>
  );
};
