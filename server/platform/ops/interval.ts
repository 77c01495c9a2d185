import { exhaustMap, from, timer } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import { errorTrace, type Log } from "./log.ts";

/** A task that runs from `start` until the returned function is called. */
export interface IntervalTask {
  readonly start: () => () => void;
}

/** Runs a task at the start and then every `everyMs`, never concurrently. Logs a failure with `failureMessage`. */
export const createIntervalTask = (
  run: () => Promise<unknown>,
  {
    everyMs,
    failureMessage,
    clock,
    log,
  }: { readonly everyMs: number; readonly failureMessage: string; readonly clock: Clock; readonly log: Log },
): IntervalTask => ({
  start: () => {
    const runs = timer(0, everyMs, clock.scheduler).pipe(
      exhaustMap(() =>
        from(run().catch((error: unknown) => log.error({ error: errorTrace(error) }, failureMessage))),
      ),
    );
    const subscription = runs.subscribe();
    return () => subscription.unsubscribe();
  },
});
