import { exhaustMap, from, timer } from "rxjs";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "./log.ts";
import { traceOf } from "./trace.ts";

/** Something that goes on from `start` until what it hands back is called. */
export interface Rounds {
  readonly start: () => () => void;
}

/**
 * Does some work at the start and then again and again, never twice at the same time. A round that fails is logged as
 * `failed`, and the next one tries again.
 */
export const makeRounds = (
  work: () => Promise<unknown>,
  {
    everyMs,
    failed,
    clock,
    log,
  }: { readonly everyMs: number; readonly failed: string; readonly clock: Clock; readonly log: Log },
): Rounds => ({
  start: () => {
    const rounds = timer(0, everyMs, clock.scheduler).pipe(
      exhaustMap(() => from(work().catch((error: unknown) => log.error({ error: traceOf(error) }, failed)))),
    );
    const running = rounds.subscribe();
    return () => running.unsubscribe();
  },
});
