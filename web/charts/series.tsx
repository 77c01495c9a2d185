import { classes } from "../ui/classes.ts";
import styles from "./series.module.css";

/** A series of a chart by its look; the last one is for the remainder. */
export type Series = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The muted series of the remainder. */
export const restSeries: Series = 7;

/** The number of distinguishable series besides the remainder. */
const maxSeries = 6;

/** The series at an index from 0; indexes beyond the last series get the muted one. */
export const seriesAt = (at: number): Series => (at < maxSeries ? ((at + 1) as Series) : restSeries);

/** The CSS class of a box that is filled as this series. */
export const seriesBox = (series: Series): string => classes(styles.box, styles[`series${series}`]) ?? "";

/** A part of a chart: its name and its series. */
export interface ChartPart {
  readonly label: string;
  readonly series: Series;
}

/** The size of a pattern's tile, and the line on it, by series. */
const patternTile = 4;
const patternLines: Readonly<Record<Series, string>> = {
  1: "",
  2: "M0 1H4M0 3H4",
  3: "M1 0V4M3 0V4",
  4: "M0 0L4 4",
  5: "M-1 1L1 -1M0 4L4 0M3 5L5 3",
  6: "M0 2H4",
  7: "",
};

/** The patterns that fill the parts of a drawing; `fillOf` names them. */
export const SeriesPatterns = ({ id }: { readonly id: string }) => (
  <defs>
    {([1, 2, 3, 4, 5, 6, 7] as const).map((series) => (
      <pattern
        key={series}
        id={`${id}-${series}`}
        className={styles[`series${series}`]}
        width={patternTile}
        height={patternTile}
        patternUnits="userSpaceOnUse"
      >
        <rect className={styles.tile} width={patternTile} height={patternTile} />
        <path className={styles.mark} d={patternLines[series]} />
      </pattern>
    ))}
  </defs>
);

/** The fill of a part of a drawing that has the patterns with this id. */
export const fillOf = (id: string, series: Series): string => `url(#${id}-${series})`;

/** The swatch of a series. */
export const SeriesKey = ({ series }: Pick<ChartPart, "series">) => (
  <span className={classes(styles.key, seriesBox(series))} aria-hidden="true" />
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
