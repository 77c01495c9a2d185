import { hourMs, minuteMs } from "../../../core/kernel/durations.ts";

/** How long a challenge can be answered. */
export const challengeLifetimeMs = 5 * minuteMs;
/** How many passkeys of one network (/24, /56), or of one signed-in user, are refused in an hour before none is checked any more. */
export const mostRefused = { most: 30, withinMs: hourMs } as const;
