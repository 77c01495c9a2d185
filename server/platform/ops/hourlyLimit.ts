import { hourMs } from "../../../core/kernel/durations.ts";

const maxKeys = 10_000;

/** Creates the count of what this process does for each user; returns whether one more is within `most` in this hour. */
export const createHourlyLimit = (now: () => number, most: number): ((userId: string) => boolean) => {
  let hour = 0;
  const counts = new Map<string, number>();
  return (userId) => {
    const thisHour = Math.floor(now() / hourMs);
    if (thisHour !== hour || counts.size > maxKeys) counts.clear();
    hour = thisHour;
    const count = (counts.get(userId) ?? 0) + 1;
    counts.set(userId, count);
    return count <= most;
  };
};

/**
 * Creates the count of what strangers cause for each user: as `createHourlyLimit`, of which one network has a share. What has
 * no network counts for all alone.
 */
export const createStrangersHourlyLimit = (
  now: () => number,
  { most, ofNetwork }: { readonly most: number; readonly ofNetwork: number },
): ((userId: string, network: string | null) => boolean) => {
  const mayOfAll = createHourlyLimit(now, most);
  const mayOfNetwork = createHourlyLimit(now, ofNetwork);
  return (userId, network) => (network === null || mayOfNetwork(`${userId} ${network}`)) && mayOfAll(userId);
};
