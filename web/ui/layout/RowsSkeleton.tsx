import { Skeleton } from "../feedback/Skeleton.tsx";
import styles from "./RowsSkeleton.module.css";

/** The widths of the names, so that the placeholder does not look like a form. */
const names = [16, 11, 19, 13, 9, 17, 12, 15, 10, 18, 14, 12];

/** The placeholder of a RowTable: its surface with the lines of rows. */
export const RowsSkeleton = () => (
  <div className={styles.surface}>
    <div className={styles.heads} />
    {names.map((width, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the same each time
      <div key={row} className={styles.row}>
        <Skeleton width="1.375rem" height="title" shape="block" />
        <Skeleton width={`${width}ch`} />
        <span className={styles.rest}>
          <Skeleton width="24ch" />
        </span>
        <Skeleton width="2.25rem" height="title" shape="block" />
      </div>
    ))}
  </div>
);
