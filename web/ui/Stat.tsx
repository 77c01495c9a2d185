import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { Skeleton } from "./Skeleton.tsx";
import styles from "./Stat.module.css";

export interface StatProps {
  readonly label: string;
  /** A number is written with English separators; a text stands as given; undefined is not known yet. */
  readonly value: number | string | undefined;
  readonly hint?: ReactNode;
  readonly size?: "small" | "large" | undefined;
  readonly isMuted?: boolean | undefined;
}

const figures = new Intl.NumberFormat("en");

/** A figure with its name, in digits of equal width so that a column of them compares. Stands in a StatList. */
export const Stat = ({ label, value, hint, size = "small", isMuted = false }: StatProps) => (
  <div className={classes(styles.stat, styles[size], isMuted && styles.muted)}>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>
      {value === undefined ? (
        <Skeleton width="2ch" />
      ) : typeof value === "number" ? (
        figures.format(value)
      ) : (
        value
      )}
    </dd>
    {hint !== undefined && <dd className={styles.hint}>{hint}</dd>}
  </div>
);
