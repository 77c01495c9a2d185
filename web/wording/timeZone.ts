/** The reader's, by its name in the time zone database: "Europe/Vienna". */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
