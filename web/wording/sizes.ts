/** "16 bytes", "3 kB", "2.4 MB": how much room something takes. */
export const sizeOf = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
