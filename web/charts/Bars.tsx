import { type ReactNode, useState } from "react";
import { formatNumber } from "../format/numbers.ts";
import { classes } from "../ui/classes.ts";
import { followPlainly } from "../ui/followPlainly.ts";
import styles from "./Bars.module.css";
import { ChartFigure } from "./ChartFigure.tsx";
import { ChartTip } from "./ChartTip.tsx";
import { type ChartPart, SeriesKeys, seriesBox } from "./series.tsx";
import { sum } from "./shares.ts";

export interface Bar {
  readonly key: string;
  readonly label: string;
  /** One value per part, stacked side by side in the bar. */
  readonly values: readonly number[];
  /** A note below the bar, such as the time of the last event. */
  readonly note?: ReactNode;
  /** The address that shows the counted item; turns the label into a link, which the page follows by itself on a plain press. */
  readonly link?: { readonly href: string; readonly onFollow: () => void } | undefined;
  /** The accessible name of that link: "Open the rule Orders". */
  readonly linkLabel?: string | undefined;
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

const BarRow = ({ bar, parts, longest }: Pick<BarsProps, "parts"> & { bar: Bar; longest: number }) => {
  const [isShown, setShown] = useState(false);
  const isStacked = parts.length > 1;
  const total = sum(bar.values);
  const spokenValues = !isStacked
    ? formatNumber(total)
    : parts.map(({ label }, at) => `${label} ${formatNumber(bar.values[at] ?? 0)}`).join(", ");
  return (
    <li
      className={styles.row}
      onPointerEnter={() => setShown(isStacked)}
      onPointerLeave={() => setShown(false)}
      onFocus={() => setShown(isStacked)}
      onBlur={() => setShown(false)}
      onKeyDown={({ key }) => {
        if (key === "Escape") setShown(false);
      }}
    >
      <div className={styles.words}>
        {bar.link ? (
          <a
            className={styles.link}
            href={bar.link.href}
            onClick={followPlainly(bar.link.onFollow)}
            aria-label={bar.linkLabel}
          >
            {bar.label}
          </a>
        ) : (
          <span className={styles.label}>{bar.label}</span>
        )}
        <span className={styles.value}>{formatNumber(total)}</span>
      </div>
      <div className={styles.track}>
        <div className={styles.bar} role="img" aria-label={`${bar.label}: ${spokenValues}`}>
          <span className={styles.filled} style={{ inlineSize: `${(100 * total) / longest}%` }}>
            {parts.map(({ label, series }, at) => {
              const value = bar.values[at] ?? 0;
              if (value === 0) return null;
              return (
                <span
                  key={label}
                  className={classes(styles.part, seriesBox(series))}
                  style={{ flexGrow: value }}
                />
              );
            })}
          </span>
        </div>
        {isShown && <ChartTip title={bar.label} parts={parts} values={bar.values} at={total / longest / 2} />}
      </div>
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
      drawing={{ kind: "bars", parts, bars, longest }}
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
