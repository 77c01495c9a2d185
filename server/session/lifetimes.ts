import { dayMs, minuteMs } from "../../core/kernel/durations.ts";

/** The maximum number of tries per code; how long a code is valid says `core/session/oneTimeCode.ts`. */
export const triesPerCode = 5;
/** The maximum number of code mails per address within `codeMailsWithinMs`. */
export const maxCodeMails = 5;
export const codeMailsWithinMs = 60 * minuteMs;

/** How long a new user may take to choose a plan after the right code. */
export const ticketLifetimeMs = 30 * minuteMs;

/** How long a user may take to enter the second factor after the right code. */
export const secondFactorLifetimeMs = 5 * minuteMs;
/** The maximum number of tries of the second factor per code. */
export const triesPerSecondFactor = 5;
/** How long a browser is known after a sign-in. */
export const knownBrowserMs = 180 * dayMs;
/** The most code mails that one network (/24, /56) causes within `codeMailsWithinMs`, to all addresses. */
export const maxCodeMailsOfNetwork = 60;
/** How long an access token is valid (D41). */
export const accessTokenLifetimeMs = 15 * minuteMs;
/** How long a session and its cookies last after the sign-in or the last refresh. */
export const sessionLifetimeMs = 7 * dayMs;
/** How long the previous secret stays valid after a refresh, for tabs that refresh at the same time. */
export const refreshGraceMs = 30_000;
/**
 * How long a checked token and cookie are accepted without another check, unless the session ends. A secret that
 * is replaced in that time is within its grace, because it is not replaced twice in that time.
 */
export const recentCheckMs = 5_000;
/** The minimum time between two updates of the last use of a session. */
export const recordUseEveryMs = 5 * minuteMs;
/** How long a new secret waits for the first code of its authenticator. */
export const twoFactorSetupLifetimeMs = 30 * minuteMs;

/**
 * The limits of wrong codes in a day. A stranger's network has its own, so that the owner of an account can sign in
 * from elsewhere while somebody guesses; a browser that the owner has signed in with counts alone.
 */
export const wrongCodeLimits = { perAccount: 50, perClient: 10, toldAfter: 10 } as const;
