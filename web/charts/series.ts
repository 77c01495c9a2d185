import styles from "./series.module.css";

/** The series of a chart, by colour; the last one is for what is left. */
export type Series = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** What belongs to none of the others. */
export const restSeries: Series = 7;

/** The most series one chart tells apart. */
const mostSeries = 6;

/** The series at a place, counted from 0; those that come after the last are drawn back. */
export const seriesAt = (at: number): Series => (at < mostSeries ? ((at + 1) as Series) : restSeries);

/** The class that paints a shape, or a box, of this series. */
export const paint = (series: Series): string | undefined => styles[`series${series}`];
