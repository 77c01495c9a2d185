import { classes } from "../ui/classes.ts";
import styles from "./series.module.css";
import { paint, type Series } from "./series.ts";

/** A part of a chart, by its name and its colour. */
export interface Part {
  readonly label: string;
  readonly series: Series;
}

/** The patch of colour before a series' name. */
export const SeriesKey = ({ series }: Pick<Part, "series">) => (
  <span className={classes(styles.key, paint(series))} aria-hidden="true" />
);

/** Which colour means what. */
export const SeriesKeys = ({ parts }: { readonly parts: readonly Part[] }) => (
  <ul className={styles.keys} aria-label="Colours">
    {parts.map(({ label, series }) => (
      <li key={label}>
        <SeriesKey series={series} />
        {label}
      </li>
    ))}
  </ul>
);
