import { asyncScheduler } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";

/** The machine's own time, in a browser and in Node alike. */
export const systemClock: Clock = { now: () => Date.now(), scheduler: asyncScheduler };
