const figures = new Intl.NumberFormat("en");
const shares = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** "1,234". */
export const figure = (value: number): string => figures.format(value);

/** "12%" of a whole; what is there and less than half a percent is not "0%". */
export const shareOf = (part: number, whole: number): string => {
  if (whole <= 0) return shares.format(0);
  return part > 0 && part / whole < 0.005 ? "<1%" : shares.format(part / whole);
};

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
