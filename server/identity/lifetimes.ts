import { dayMs, minuteMs } from "../../core/kernel/durations.ts";

/** How long a code can be used. */
export const codeForMs = 10 * minuteMs;
/** How often a code may be tried. */
export const triesPerCode = 5;
/** How many code mails an address gets within `codeMailsWithinMs`. */
export const codeMails = 5;
export const codeMailsWithinMs = 60 * minuteMs;

/** How long somebody new may take to choose a plan after the right code. */
export const ticketForMs = 30 * minuteMs;

/** How long somebody may take for the second factor after the right code. */
export const secondFactorForMs = 5 * minuteMs;
/** How often a second factor may be tried for one right code. */
export const triesPerSecondFactor = 5;
/** How long an access token can be used (D41). */
export const accessTokenForMs = 15 * minuteMs;
/** How long a session lasts after its sign-in or its last refresh; the cookies last as long. */
export const sessionForMs = 7 * dayMs;
/** How long the secret before the last refresh stays good, for tabs that asked at the same time. */
export const refreshGraceMs = 30_000;
/** A session's last use is noted no more often than this. */
export const noteUseEveryMs = 5 * minuteMs;
