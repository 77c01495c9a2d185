/** The percentages of the monthly limit at which the owner is notified (D34). */
export type AnnouncedShare = 80 | 100;

/** Returns the percentage to announce when `received` of `limit` mails have arrived this month; null below 80 %. */
export const findShareToAnnounce = (received: number, limit: number): AnnouncedShare | null => {
  if (received >= limit) return 100;
  return received * 100 >= limit * 80 ? 80 : null;
};
