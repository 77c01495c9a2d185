/** The subject that a task takes a share of, such as a network, and the number of tasks that may have one at the same time. */
export interface Share {
  readonly of: string;
  readonly limit: number;
}

/** Admits tasks so that those of one network or domain leave room for the others. */
export interface FairGate {
  /**
   * Waits until there is room in all shares; returns the function that leaves. Rejects after the longest wait, and when
   * too many tasks wait.
   */
  readonly enter: (shares: readonly Share[]) => Promise<() => void>;
}

export interface FairGateOptions {
  /** The most tasks at the same time. */
  readonly total: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly shares: readonly Share[];
  readonly admit: () => void;
}

/** Creates a gate that admits the first waiting task with room in all its shares. */
export const createFairGate = ({ total, maxWaiting, maxWaitMs }: FairGateOptions): FairGate => {
  const taken = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let inside = 0;

  const hasRoom = (shares: readonly Share[]): boolean =>
    inside < total && shares.every(({ of, limit }) => (taken.get(of) ?? 0) < limit);
  const take = (shares: readonly Share[]): void => {
    inside += 1;
    for (const { of } of shares) taken.set(of, (taken.get(of) ?? 0) + 1);
  };
  const admitNext = (): void => {
    for (const one of waiting) {
      if (inside >= total) return;
      if (!hasRoom(one.shares)) continue;
      waiting.delete(one);
      take(one.shares);
      one.admit();
    }
  };
  const leaveOf = (shares: readonly Share[]) => (): void => {
    inside -= 1;
    for (const { of } of shares) {
      const left = (taken.get(of) ?? 0) - 1;
      if (left > 0) taken.set(of, left);
      else taken.delete(of);
    }
    admitNext();
  };

  return {
    enter: (shares) =>
      new Promise((resolve, reject) => {
        const leave = leaveOf(shares);
        if (hasRoom(shares)) {
          take(shares);
          return resolve(leave);
        }
        if (waiting.size >= maxWaiting) return reject(new Error("too many wait"));
        const one = { shares, admit: () => {} };
        const timeout = setTimeout(() => {
          waiting.delete(one);
          reject(new Error("waited too long"));
        }, maxWaitMs);
        one.admit = () => {
          clearTimeout(timeout);
          resolve(leave);
        };
        waiting.add(one);
      }),
  };
};
