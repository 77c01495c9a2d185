/** English as a region writes its dates and times. */
export interface RegionalEnglish {
  readonly locale: string;
  /** The clock, where it is not that of the locale. */
  readonly hourCycle?: "h12" | "h23";
}

/**
 * Returns English with the order of day and month and with the clock of a locale's region, of the environment where left out:
 * "20 Nov 2026" and 24 hours for "de-AT". A browser knows English of few regions, so the habits are asked of the region's own
 * language. A format of dates takes long to create: an English that the browser knows needs none.
 */
export const regionalEnglish = (asked?: string): RegionalEnglish => {
  const known = new Intl.NumberFormat(asked).resolvedOptions().locale;
  const locale = asked ?? known;
  if (locale === known && known.startsWith("en-")) return { locale };
  const { region = "US" } = new Intl.Locale(locale).maximize();
  const { language } = new Intl.Locale(`und-${region}`).maximize();
  const format = new Intl.DateTimeFormat(`${language}-${region}`, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const parts = format.formatToParts(0).map(({ type }) => type);
  const hourCycle = format.resolvedOptions().hour12 ? "h12" : "h23";
  if (parts.indexOf("month") < parts.indexOf("day")) return { locale: "en-US", hourCycle };
  return { locale: hourCycle === "h12" ? "en-AU" : "en-GB", hourCycle };
};
