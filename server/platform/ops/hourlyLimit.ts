import { hourMs } from "../../../core/kernel/durations.ts";

const maxUsers = 10_000;

/** Creates the count of what this process does for each user; returns whether one more is within `most` in this hour. */
export const createHourlyLimit = (now: () => number, most: number): ((userId: string) => boolean) => {
  let hour = 0;
  const counts = new Map<string, number>();
  return (userId) => {
    const thisHour = Math.floor(now() / hourMs);
    if (thisHour !== hour || counts.size > maxUsers) counts.clear();
    hour = thisHour;
    const count = (counts.get(userId) ?? 0) + 1;
    counts.set(userId, count);
    return count <= most;
  };
};
