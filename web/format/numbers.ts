const dollarFormat = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });

/** Formats an amount in US dollars: "$4.99". */
export const formatDollars = (amount: number): string => dollarFormat.format(amount);

/** Formats a number of bytes: "16 bytes", "3 kB", "2.4 MB". */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
