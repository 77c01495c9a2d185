/** How long an answer that was kept counts as fresh, in milliseconds (RQ4, A9). */
export const lifetimesMs = {
  short: 60_000,
  medium: 300_000,
  long: 1_800_000,
  account: 300_000,
  masks: 120_000,
  rules: 120_000,
  insights: 600_000,
  aiPreferences: 900_000,
} as const;
