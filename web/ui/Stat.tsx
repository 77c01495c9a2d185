import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { Skeleton } from "./Skeleton.tsx";
import styles from "./Stat.module.css";

export interface StatProps {
  readonly label: string;
  /** A number is formatted with English separators, a text is shown as it is, and undefined shows a skeleton. */
  readonly value: number | string | undefined;
  readonly hint?: ReactNode;
  readonly size?: "small" | "large" | undefined;
  readonly isMuted?: boolean | undefined;
}

const numberFormat = new Intl.NumberFormat("en");

/** A labeled figure in tabular digits. Its parent is a StatList. */
export const Stat = ({ label, value, hint, size = "small", isMuted = false }: StatProps) => (
  <div className={classes(styles.stat, styles[size], isMuted && styles.muted)}>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>
      {value === undefined ? (
        <Skeleton width="2ch" />
      ) : typeof value === "number" ? (
        numberFormat.format(value)
      ) : (
        value
      )}
    </dd>
    {hint !== undefined && <dd className={styles.hint}>{hint}</dd>}
  </div>
);

export interface StatListProps {
  readonly children: ReactNode;
  readonly "aria-label"?: string | undefined;
}

/** A row of Stats in columns of equal width, so that the rows of a list align. */
export const StatList = ({ children, ...rest }: StatListProps) => (
  <dl className={styles.list} {...rest}>
    {children}
  </dl>
);
