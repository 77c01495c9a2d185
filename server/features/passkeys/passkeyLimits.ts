import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";

/** How long a challenge can be answered. */
export const challengeLifetimeMs = 5 * minuteMs;
/** The most open challenges of one network (/24, /56). */
export const maxChallengesOfNetwork = 200;
/** The most open challenges of all. */
export const maxChallenges = 50_000;
/** How many passkeys of one network are refused in an hour before none is checked any more. */
export const refusedOfNetwork = { most: 30, withinMs: hourMs } as const;
