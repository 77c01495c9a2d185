import { classes } from "../ui/classes.ts";
import { keyClass, paint, type Series } from "./series.ts";

/** The patch of colour before a series' name. */
export const SeriesKey = ({ series }: { readonly series: Series }) => (
  <span className={classes(keyClass, paint(series))} aria-hidden="true" />
);
