const medium = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const long = new Intl.DateTimeFormat("en", { dateStyle: "long" });

const written = (format: Intl.DateTimeFormat, iso: string | undefined): string => {
  const date = new Date(iso ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? "Not available" : format.format(date);
};

/** "Nov 20, 2026" in the reader's time zone; "Not available" for what is no date (MA4). */
export const shortDate = (iso: string | undefined): string => written(medium, iso);

/** "November 20, 2026" in the reader's time zone; "Not available" for what is no date (AC3). */
export const longDate = (iso: string | undefined): string => written(long, iso);
