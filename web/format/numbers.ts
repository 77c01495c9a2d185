/** Makes a format when it is first used: the first one takes as long as drawing a small list. */
const onFirstUse = (options?: Intl.NumberFormatOptions, locale?: string): ((value: number) => string) => {
  let format: Intl.NumberFormat | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat(locale, options);
    return format.format(value);
  };
};

/** Formats a number with the separators of the browser's locale: "1,234". */
export const formatNumber = onFirstUse();

/** Formats a share from 0 to 1 in whole percent: "12%". */
export const formatPercent = onFirstUse({ style: "percent", maximumFractionDigits: 0 });

/** Formats a count with its noun: "1 email", "1,234 emails". */
export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;

const upToTenths = onFirstUse({ maximumFractionDigits: 1 });

/** Formats an amount in US dollars, as the specification writes prices: "$4.99". */
export const formatDollars = onFirstUse({ style: "currency", currency: "USD" }, "en");

/** Formats a number of bytes: "16 bytes", "3 kB", "2.4 MB", "10 GB". */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return bytes < 1_000_000_000
    ? `${upToTenths(bytes / 1_000_000)} MB`
    : `${upToTenths(bytes / 1_000_000_000)} GB`;
};
