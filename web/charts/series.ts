import styles from "./series.module.css";

/** The series of a chart, by colour; the last one is for what is left. */
export type Series = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The most series one chart tells apart. */
const mostSeries = 7;

/** The series at a place, counted from 0; those that come after the last look like it. */
export const seriesAt = (at: number): Series => Math.min(at + 1, mostSeries) as Series;

/** The class that paints a shape, or a box, of this series. */
export const paint = (series: Series): string | undefined => styles[`series${series}`];
