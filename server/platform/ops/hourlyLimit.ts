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
  // Apart: many networks must not drive the counts of users out.
  const ofUsers = createHourlyCounts(now);
  const ofNetworks = createHourlyCounts(now);
  return () => {
    const planned: { readonly counts: HourlyCounts; readonly key: string }[] = [];
    return {
      plan: (userId, network) => {
        const ofUser = { counts: ofUsers, key: userId, limit: most };
        const shares =
          network === null
            ? [ofUser]
            : [ofUser, { counts: ofNetworks, key: `${userId} ${network}`, limit: ofNetwork }];
        const isPlanned = shares.every(({ counts, key, limit }) => {
          const before = planned.filter((one) => one.counts === counts && one.key === key);
          return counts.of(key) + before.length < limit;
        });
        if (isPlanned) planned.push(...shares);
        return isPlanned;
      },
      count: () => {
        for (const { counts, key } of planned) counts.add(key);
      },
    };
  };
};

/**
 * Creates the count of what strangers cause for each user: as `createHourlyLimit`, of which one network has a share. What has
 * no network counts for all alone.
 */
export const createStrangersHourlyLimit = (
  now: () => number,
  share: StrangersShare,
): ((userId: string, network: string | null) => boolean) => {
  const planShare = createPlannedStrangersLimit(now, share);
  return (userId, network) => {
    const { plan, count } = planShare();
    const isAllowed = plan(userId, network);
    if (isAllowed) count();
    return isAllowed;
  };
};
