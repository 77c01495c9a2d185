import type { ReactNode } from "react";
import styles from "./Stat.module.css";

export interface StatListProps {
  readonly children: ReactNode;
  readonly "aria-label"?: string | undefined;
}

/** Figures side by side in columns of equal width, so that the same figure stands at the same place down a list. */
export const StatList = ({ children, ...rest }: StatListProps) => (
  <dl className={styles.list} {...rest}>
    {children}
  </dl>
);
