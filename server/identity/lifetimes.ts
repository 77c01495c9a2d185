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
/** How long a secret waits for the first code of its authenticator. */
export const setupForMs = 30 * minuteMs;

/** How long an access token can be used (D41). */
export const accessTokenForMs = 15 * minuteMs;
/** How long a session lasts after its sign-in or its last refresh; the cookies last as long. */
export const sessionForMs = 7 * dayMs;
/** How long the secret before the last refresh stays good, for tabs that asked at the same time. */
export const refreshGraceMs = 30_000;
/** A session's last use is noted no more often than this. */
export const noteUseEveryMs = 5 * minuteMs;
/** How long a named request is answered with what it was answered first (D43). */
export const answersForMs = dayMs;
/** How long a notification is kept; a user's newest 50 (NO1) longer. */
export const notificationsForMs = 90 * dayMs;

/** How long somebody who began to pay before signing up, and has not paid, is remembered. */
export const signUpPaymentForMs = 2 * dayMs;
/** How long an event of the payment provider is known to have had its effect; it sends none again after 30 days. */
export const providerEventsForMs = 60 * dayMs;
