import type { ReactNode } from "react";
import styles from "./ActionBar.module.css";

interface ActionBarProps {
  /** The subject of the actions, such as the number of selected rows. */
  readonly about: ReactNode;
  /** The actions; on a narrow screen they stand on a line of their own that scrolls sideways. */
  readonly children: ReactNode;
  /** The button that ends it. */
  readonly end: ReactNode;
}

/** A bar at the lower edge of the screen with what can be done with the selected rows; the rows do not move for it. */
export const ActionBar = ({ about, children, end }: ActionBarProps) => (
  <div className={styles.bar}>
    <div className={styles.about}>{about}</div>
    <div className={styles.actions}>{children}</div>
    <div className={styles.end}>{end}</div>
  </div>
);
