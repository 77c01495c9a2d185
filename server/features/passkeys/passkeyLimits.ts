import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";

/** The time for which a challenge can be answered. */
export const challengeLifetimeMs = 5 * minuteMs;
/**
 * The number of passkeys of one network (/24, /56), or of one signed-in user, that are refused in an hour before none is checked
 * any more.
 */
export const mostRefused = { most: 30, withinMs: hourMs } as const;
