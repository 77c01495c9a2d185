/** The amount that a process has taken of a key since it last told the others. */
export interface TakenAmount {
  /** A keyed hash of what is counted. */
  readonly key: string;
  readonly amount: number;
  /** At most twice as much is remembered. */
  readonly burst: number;
  /** The amount that comes back in a second. */
  readonly perSecond: number;
}

/** The amount that all processes together have used of a key and that has not come back. */
export interface UsedAmount {
  readonly key: string;
  readonly used: number;
}

/** The place where the processes of an installation add up what they have taken. */
export interface RateExchange {
  /**
   * Adds amounts of different keys in one step, and returns what is used of these keys and of those that other processes
   * have changed since the last call and of which `nearLimit` or more is used. Rejects when the place cannot be reached.
   */
  readonly exchange: (taken: readonly TakenAmount[]) => Promise<readonly UsedAmount[]>;
  /** Ends the connection, where there is one of its own. */
  readonly close: () => Promise<void>;
}

/** The part of the burst from which on all processes are told of a key. */
export const nearLimit = 0.2;

/** The most keys that are remembered; beyond it those that are free again first are forgotten. */
export const maxSharedKeys = 100_000;

/** The most keys of other processes that one answer has. */
export const maxChangedKeys = 1_000;

/** The time before the last exchange whose changes are read again, because they may have been committed late. */
export const overlapMs = 2_000;
