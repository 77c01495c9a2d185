/** The axis maximum: a round number not below the highest column whose half is an integer. */
export const axisMaximum = (highest: number): number => {
  if (highest <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [2, 4, 6, 8, 10, 20].map((step) => step * power).find((ceiling) => ceiling >= highest) ?? highest;
};

/** The indexes of the columns that have a label below them: the first, the middle and the last. */
export const labelledAt = (count: number): readonly number[] => [
  ...new Set([0, Math.floor((count - 1) / 2), count - 1]),
];
