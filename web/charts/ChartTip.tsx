import { Fragment } from "react";
import { formatNumber } from "../format/numbers.ts";
import styles from "./ChartTip.module.css";
import { type ChartPart, SeriesKey } from "./series.tsx";

interface ChartTipProps {
  readonly title: string;
  readonly parts: readonly ChartPart[];
  readonly values: readonly number[];
  /** Stands in place of the values where there are none. */
  readonly note?: string | undefined;
  /** The place that the tip points at, from 0 to 1 of the width of its parent. */
  readonly at: number;
}

/** The figures at one place of a chart, above it. Its parent is positioned, and says the same to screen readers. */
export const ChartTip = ({ title, parts, values, note, at }: ChartTipProps) => (
  <div
    className={styles.tip}
    aria-hidden="true"
    style={{ insetInlineStart: `${100 * at}%`, translate: `${-100 * at}% 0` }}
  >
    <span className={styles.title}>{title}</span>
    {note !== undefined && <span>{note}</span>}
    {note === undefined && (
      <span className={styles.values}>
        {parts.map(({ label, series }, n) => (
          <Fragment key={label}>
            <SeriesKey series={series} />
            <span>{label}</span>
            <span className={styles.value}>{formatNumber(values[n] ?? 0)}</span>
          </Fragment>
        ))}
      </span>
    )}
  </div>
);
