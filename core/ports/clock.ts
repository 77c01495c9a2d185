import type { SchedulerLike } from "rxjs";

/** Time. Real in a shell, virtual in a test. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** What every timed rxjs operator in the core is given. */
  readonly scheduler: SchedulerLike;
}
