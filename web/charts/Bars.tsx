import type { ReactNode } from "react";
import styles from "./Bars.module.css";
import { ChartFigure, formatNumber, sum } from "./ChartFigure.tsx";
import { type ChartPart, SeriesKeys, seriesClass } from "./series.tsx";

export interface Bar {
  readonly key: string;
  readonly label: string;
  /** One value per part, stacked side by side in the bar. */
  readonly values: readonly number[];
  /** A note below the bar, such as the time of the last event. */
  readonly note?: ReactNode;
  /** Opens the counted item; turns the label into a button. */
  readonly onOpen?: (() => void) | undefined;
  /** The accessible name of that button: "Open the rule Orders". */
  readonly openLabel?: string | undefined;
}

export interface BarsProps {
  readonly name: string;
  /** The heading of the row labels: "Mask". */
  readonly of: string;
  readonly parts: readonly ChartPart[];
  readonly bars: readonly Bar[];
  /** The value of a full-width bar; defaults to the largest value shown. */
  readonly longest?: number | undefined;
}

const height = 6;
/** The start of each part of a bar in percent of the longest bar. */
const partOffsets = (values: readonly number[], longest: number): readonly number[] =>
  values.map((_, at) => (100 * sum(values.slice(0, at))) / longest);

const BarRow = ({ bar, parts, longest }: Pick<BarsProps, "parts"> & { bar: Bar; longest: number }) => {
  const offsets = partOffsets(bar.values, longest);
  const spokenValues =
    parts.length === 1
      ? formatNumber(sum(bar.values))
      : parts.map(({ label }, at) => `${label} ${formatNumber(bar.values[at] ?? 0)}`).join(", ");
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
        <span className={styles.value}>{formatNumber(sum(bar.values))}</span>
      </div>
      <svg
        className={styles.bar}
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${bar.label}: ${spokenValues}`}
      >
        {parts.map(({ label, series }, at) => (
          <rect
            key={label}
            className={seriesClass(series)}
            x={offsets[at]}
            width={(100 * (bar.values[at] ?? 0)) / longest}
            height={height}
          />
        ))}
      </svg>
      {bar.note !== undefined && <p className={styles.note}>{bar.note}</p>}
    </li>
  );
};

/** A horizontal bar chart; each bar consists of one part or of several stacked parts. */
export const Bars = ({ name, of, parts, bars, longest: givenLongest }: BarsProps) => {
  const longest = Math.max(1, givenLongest ?? 0, ...bars.map(({ values }) => sum(values)));
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
