import type { ReactNode } from "react";
import styles from "./Bars.module.css";
import { ChartFigure } from "./ChartFigure.tsx";
import { figure, sum } from "./numbers.ts";
import { type Part, SeriesKeys } from "./SeriesKey.tsx";
import { paint } from "./series.ts";

export interface Bar {
  readonly key: string;
  readonly label: string;
  /** One for each of the parts, side by side in one bar. */
  readonly values: readonly number[];
  /** What is said beside the sum, as when something was last. */
  readonly note?: ReactNode;
  /** Leads to what is counted; then the label is a button. */
  readonly onOpen?: (() => void) | undefined;
  /** What that button does: "Open the rule Orders". */
  readonly openLabel?: string | undefined;
}

export interface BarsProps {
  readonly name: string;
  /** What the rows are: "Mask". */
  readonly of: string;
  readonly parts: readonly Part[];
  readonly bars: readonly Bar[];
  /** What the longest bar of all would count; the longest shown when left out. */
  readonly longest?: number | undefined;
}

const height = 6;
/** Where each part of a bar begins, in hundredths of the longest bar. */
const startsOf = (values: readonly number[], longest: number): readonly number[] =>
  values.map((_, at) => (100 * sum(values.slice(0, at))) / longest);

const BarRow = ({ bar, parts, longest }: Pick<BarsProps, "parts"> & { bar: Bar; longest: number }) => {
  const starts = startsOf(bar.values, longest);
  const said =
    parts.length === 1
      ? figure(sum(bar.values))
      : parts.map(({ label }, at) => `${label} ${figure(bar.values[at] ?? 0)}`).join(", ");
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        {bar.onOpen ? (
          <button type="button" className={styles.link} onClick={bar.onOpen} aria-label={bar.openLabel}>
            {bar.label}
          </button>
        ) : (
          <span className={styles.label}>{bar.label}</span>
        )}
        <span className={styles.value}>{figure(sum(bar.values))}</span>
      </div>
      <svg
        className={styles.bar}
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${bar.label}: ${said}`}
      >
        {parts.map(({ label, series }, at) => (
          <rect
            key={label}
            className={paint(series)}
            x={starts[at]}
            width={(100 * (bar.values[at] ?? 0)) / longest}
            height={height}
          />
        ))}
      </svg>
      {bar.note !== undefined && <p className={styles.note}>{bar.note}</p>}
    </li>
  );
};

/** Counts that compare: a bar each, of one part or of several side by side. */
export const Bars = ({ name, of, parts, bars, longest: known }: BarsProps) => {
  const longest = Math.max(1, known ?? 0, ...bars.map(({ values }) => sum(values)));
  const isStacked = parts.length > 1;
  return (
    <ChartFigure
      name={name}
      table={{
        columns: [of, ...parts.map(({ label }) => label), ...(isStacked ? ["In all"] : [])],
        rows: bars.map(({ key, label, values }) => ({
          key,
          name: label,
          cells: [...values, ...(isStacked ? [sum(values)] : [])],
        })),
      }}
    >
      {isStacked && <SeriesKeys parts={parts} />}
      <ul className={styles.bars}>
        {bars.map((bar) => (
          <BarRow key={bar.key} bar={bar} parts={parts} longest={longest} />
        ))}
      </ul>
    </ChartFigure>
  );
};
