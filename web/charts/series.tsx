import { classes } from "../ui/classes.ts";
import styles from "./series.module.css";

/** A color series of a chart; the last one is for the remainder. */
export type Series = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The muted series of the remainder. */
export const restSeries: Series = 7;

/** The number of distinguishable series besides the remainder. */
const maxSeries = 6;

/** The series at an index from 0; indexes beyond the last series get the muted one. */
export const seriesAt = (at: number): Series => (at < maxSeries ? ((at + 1) as Series) : restSeries);

/** The CSS class that colors a shape or box of this series. */
export const seriesClass = (series: Series): string | undefined => styles[`series${series}`];

/** A part of a chart: its name and its color series. */
export interface ChartPart {
  readonly label: string;
  readonly series: Series;
}

/** The color swatch of a series. */
export const SeriesKey = ({ series }: Pick<ChartPart, "series">) => (
  <span className={classes(styles.key, seriesClass(series))} aria-hidden="true" />
);

/** The legend of a chart. */
export const SeriesKeys = ({ parts }: { readonly parts: readonly ChartPart[] }) => (
  <ul className={styles.keys} aria-label="Colours">
    {parts.map(({ label, series }) => (
      <li key={label}>
        <SeriesKey series={series} />
        {label}
      </li>
    ))}
  </ul>
);
