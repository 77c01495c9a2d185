import type { ReactNode } from "react";
import { formatNumber } from "../format/numbers.ts";
import { classes } from "./classes.ts";
import { Skeleton } from "./feedback/Skeleton.tsx";
import styles from "./Stat.module.css";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface StatProps {
  readonly label: string;
  /** A number from six digits on is shortened: "123k". A text is shown as it is; undefined shows a skeleton. */
  readonly value: number | string | undefined;
  readonly hint?: ReactNode;
  readonly size?: "small" | "large" | undefined;
}

/** The first format costs the list milliseconds, and most figures have nothing to separate. */
const formatFigure = (value: number): string =>
  Number.isInteger(value) && value < 1_000 ? String(value) : formatNumber(value);

const firstShortened = 100_000;

/** Formats a count of six digits and more in short, rounded down: "123k", "1.2M"; a smaller one as it is. */
const formatShortCount = (count: number): string => {
  if (count < firstShortened) return formatFigure(count);
  if (count < 1_000_000) return `${Math.floor(count / 1_000)}k`;
  const tenths = Math.floor(count / 100_000);
  return `${formatNumber(tenths < 100 ? tenths / 10 : Math.floor(tenths / 10))}M`;
};

/** Shows a count; a shortened one has the whole number on hover and for screen readers. */
export const Count = ({ count }: { readonly count: number }) => {
  const short = formatShortCount(count);
  const whole = formatFigure(count);
  if (short === whole) return whole;
  return (
    <>
      <span aria-hidden="true" title={whole}>
        {short}
      </span>
      <VisuallyHidden>{whole}</VisuallyHidden>
    </>
  );
};

/** A labeled figure in tabular digits. Its parent is a StatList. */
export const Stat = ({ label, value, hint, size = "small" }: StatProps) => (
  <div className={classes(styles.stat, styles[size])}>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>
      {value === undefined ? (
        <Skeleton width="2ch" />
      ) : typeof value === "number" ? (
        <Count count={value} />
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
