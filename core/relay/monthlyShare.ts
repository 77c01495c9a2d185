/** The shares of a month's mail, in percent, at which its owner is told (D34). */
export type AnnouncedShare = 80 | 100;

/** Which share is to be announced once `received` of `limit` mails have come this month; null below 80 %. */
export const shareToAnnounce = (received: number, limit: number): AnnouncedShare | null => {
  if (received >= limit) return 100;
  return received * 100 >= limit * 80 ? 80 : null;
};
