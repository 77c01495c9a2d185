import { isLoopback, networkOf } from "../../platform/ops/networkOf.ts";
import { failedLogins } from "../../smtp/smtpLimits.ts";

/**
 * Limits failed logins of mail programs by network. There is no limit by account, with which strangers of many networks would
 * lock its owner out: an app password has 80 random bits, which nobody guesses.
 */
export interface LoginLimits {
  /** True if another login may be tried. */
  readonly mayTry: (user: string, remoteAddress: string) => boolean;
  /**
   * Counts a login as failed and returns the function that takes that back when it succeeds. A network where a login
   * succeeded keeps access to that account, so that others there cannot lock its owner out.
   */
  readonly recordAttempt: (user: string, remoteAddress: string) => () => void;
}

/** A number of failures that is allowed within a time. */
interface Limit {
  readonly failures: number;
  readonly withinMs: number;
}

const maxCounted = 20_000;

interface Count {
  failures: number;
  readonly since: number;
}

const createCounts = ({ failures: most, withinMs }: Limit, now: () => number) => {
  const counts = new Map<string, Count>();
  const current = (key: string): Count | undefined => {
    const count = counts.get(key);
    return count && now() - count.since < withinMs ? count : undefined;
  };
  return {
    isFull: (key: string): boolean => (current(key)?.failures ?? 0) >= most,
    add: (key: string, change: 1 | -1): void => {
      const count = current(key) ?? { failures: 0, since: now() };
      count.failures += change;
      counts.delete(key);
      counts.set(key, count);
      const oldest = counts.size > maxCounted ? counts.keys().next().value : undefined;
      if (oldest !== undefined) counts.delete(oldest);
    },
  };
};

export const createLoginLimits = (now: () => number): LoginLimits => {
  const networks = createCounts(failedLogins, now);
  const known = new Set<string>();
  const pairOf = (user: string, remoteAddress: string): string =>
    `${networkOf(remoteAddress)} ${user.toLowerCase()}`;
  return {
    mayTry: (user, remoteAddress) =>
      isLoopback(remoteAddress) ||
      known.has(pairOf(user, remoteAddress)) ||
      !networks.isFull(networkOf(remoteAddress)),
    recordAttempt: (user, remoteAddress) => {
      const network = networkOf(remoteAddress);
      networks.add(network, 1);
      return () => {
        networks.add(network, -1);
        if (known.size >= maxCounted) known.clear();
        known.add(pairOf(user, remoteAddress));
      };
    },
  };
};
