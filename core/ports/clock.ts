import type { SchedulerLike } from "rxjs";

/** The time: real in a shell, virtual in a test. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** The scheduler that every timed rxjs operator in core is given. */
  readonly scheduler: SchedulerLike;
}
