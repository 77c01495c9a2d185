import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Skeleton, SkeletonRegion } from "../../../ui/feedback/Skeleton.tsx";
import { Card } from "../../../ui/layout/Card.tsx";
import { PageHead } from "../../../ui/layout/layout.tsx";
import styles from "../MasksTab.module.css";

const shapes = ["first", "second", "third", "fourth", "fifth"];

/** Placeholder cards with the height of real ones. */
export const MaskCardSkeletons = () => (
  <SkeletonRegion label="Loading masks">
    <div className={styles.list}>
      {shapes.map((shape) => (
        <Card key={shape}>
          <Skeleton width="min(44ch, 100%)" />
          <Skeleton width="100%" />
        </Card>
      ))}
    </div>
  </SkeletonRegion>
);

/** A placeholder with the lines of rows. */
export const MaskRowSkeletons = () => (
  <SkeletonRegion label="Loading masks">
    <Card>
      <div className={styles.list}>
        {Array.from({ length: 12 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the same each time
          <Skeleton key={row} width="100%" height="title" shape="block" />
        ))}
      </div>
    </Card>
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
