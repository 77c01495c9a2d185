const numberFormat = new Intl.NumberFormat("en");
const percentFormat = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** Formats a number with English separators: "1,234". */
export const formatNumber = (value: number): string => numberFormat.format(value);

/** Formats a share of a total as "12%"; a share above 0 and below half a percent is "<1%". */
export const formatShare = (part: number, whole: number): string => {
  if (whole <= 0) return percentFormat.format(0);
  return part > 0 && part / whole < 0.005 ? "<1%" : percentFormat.format(part / whole);
};

/** The sum of the values; 0 for none. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
