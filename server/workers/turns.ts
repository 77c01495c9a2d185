/** A line for each owner; those whose turn it is take it one after the other, each with one thing under way. */
export interface Turns<Job> {
  readonly add: (owner: string, job: Job) => void;
  /** The next job of an owner who has nothing under way; undefined when there is none. */
  readonly next: () => Job | undefined;
  /** Ends a job, whether it was under way or waited. */
  readonly done: (owner: string, job: Job) => void;
}

export const takeTurns = <Job>(): Turns<Job> => {
  const lines = new Map<string, readonly Job[]>();
  const underWay = new Map<string, Job>();
  return {
    add: (owner, job) => {
      lines.set(owner, [...(lines.get(owner) ?? []), job]);
    },
    next: () => {
      for (const [owner, [job, ...others]] of lines) {
        if (underWay.has(owner) || job === undefined) continue;
        lines.delete(owner);
        if (others.length > 0) lines.set(owner, others);
        underWay.set(owner, job);
        return job;
      }
      return undefined;
    },
    done: (owner, job) => {
      if (underWay.get(owner) === job) underWay.delete(owner);
      const left = (lines.get(owner) ?? []).filter((one) => one !== job);
      if (left.length > 0) lines.set(owner, left);
      else lines.delete(owner);
    },
  };
};
