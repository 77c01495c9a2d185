import { hourMs } from "../../../core/kernel/durations.ts";

const maxKeys = 10_000;

/** What this process counts in this hour, by key. */
interface HourlyCounts {
  readonly of: (key: string) => number;
  /** Returns the count with this one. */
  readonly add: (key: string) => number;
}

const createHourlyCounts = (now: () => number): HourlyCounts => {
  let hour = 0;
  const counts = new Map<string, number>();
  const of = (key: string): number => {
    const thisHour = Math.floor(now() / hourMs);
    if (thisHour !== hour || counts.size > maxKeys) counts.clear();
    hour = thisHour;
    return counts.get(key) ?? 0;
  };
  return {
    of,
    add: (key) => {
      const count = of(key) + 1;
      counts.set(key, count);
      return count;
    },
  };
};

/** Creates the count of what this process does for each user; returns whether one more is within `most` in this hour. */
export const createHourlyLimit = (now: () => number, most: number): ((userId: string) => boolean) => {
  const counts = createHourlyCounts(now);
  return (userId) => counts.add(userId) <= most;
};

interface StrangersShare {
  readonly most: number;
  readonly ofNetwork: number;
}

/**
 * Creates the count of what strangers cause for each user: as `createHourlyLimit`, of which one network has a share. What has
 * no network counts for all alone.
 */
export const createStrangersHourlyLimit = (
  now: () => number,
  { most, ofNetwork }: StrangersShare,
): ((userId: string, network: string | null) => boolean) => {
  const mayOfAll = createHourlyLimit(now, most);
  const mayOfNetwork = createHourlyLimit(now, ofNetwork);
  return (userId, network) => (network === null || mayOfNetwork(`${userId} ${network}`)) && mayOfAll(userId);
};

/** What is done together, and counts only once it is certain. */
export interface PlannedShare {
  /** Returns whether one more is within the limits, with what was planned before. */
  readonly plan: (userId: string, network: string | null) => boolean;
  /** Counts what was planned. */
  readonly count: () => void;
}

/** As `createStrangersHourlyLimit`, for what a transaction does: it counts when that is committed. */
export const createPlannedStrangersLimit = (
  now: () => number,
  { most, ofNetwork }: StrangersShare,
): (() => PlannedShare) => {
  const counts = createHourlyCounts(now);
  return () => {
    const planned: string[] = [];
    const hasRoom = (key: string, limit: number): boolean =>
      counts.of(key) + planned.filter((one) => one === key).length < limit;
    return {
      plan: (userId, network) => {
        const ofUser = `${userId} `;
        const keys = network === null ? [ofUser] : [ofUser, `${ofUser}${network}`];
        const isPlanned = keys.every((key) => hasRoom(key, key === ofUser ? most : ofNetwork));
        if (isPlanned) planned.push(...keys);
        return isPlanned;
      },
      count: () => {
        for (const key of planned) counts.add(key);
      },
    };
  };
};
