/** Returns the calendar day of a moment in UTC: "2026-11-20". */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
