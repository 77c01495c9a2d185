import { formatPercent } from "../format/numbers.ts";

/** Formats a share of a total as "12%"; a share above 0 and below half a percent is "<1%". */
export const formatShare = (part: number, whole: number): string => {
  if (whole <= 0) return formatPercent(0);
  return part > 0 && part / whole < 0.005 ? "<1%" : formatPercent(part / whole);
};

/** The sum of the values; 0 for none. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
