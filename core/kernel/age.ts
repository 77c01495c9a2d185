/**
 * Returns how long ago a time was, in milliseconds; infinity for a time in the future, which was noted before the clock
 * was set back.
 */
export const ageMs = (at: number, now: number): number => (at > now ? Number.POSITIVE_INFINITY : now - at);
