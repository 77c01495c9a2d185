/** English as a region writes its dates and times. */
export interface RegionalEnglish {
  readonly locale: "en-US" | "en-GB" | "en-AU";
  readonly hourCycle: "h12" | "h23";
}

/**
 * Returns English with the order of day and month and with the clock of a locale's region, of the environment where left out:
 * "20 Nov 2026" and 24 hours for "de-AT". A browser knows English of few regions, so the habits are asked of the region's own
 * language.
 */
export const regionalEnglish = (
  locale: string = new Intl.DateTimeFormat().resolvedOptions().locale,
): RegionalEnglish => {
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
