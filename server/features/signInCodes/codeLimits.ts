import { minuteMs } from "../../../core/kernel/durations.ts";

/** The maximum number of tries per code; how long a code is valid says `core/session/oneTimeCode.ts`. */
export const triesPerCode = 5;
/** The maximum number of code mails per address within `codeMailsWithinMs`. */
export const maxCodeMails = 5;
export const codeMailsWithinMs = 60 * minuteMs;
/** The most code mails that one network (/24, /56) causes within `codeMailsWithinMs`, to all addresses. */
export const maxCodeMailsOfNetwork = 60;
/** The maximum number of tries of the second factor per code. */
export const triesPerSecondFactor = 5;

/**
 * The limits of wrong codes in a day. A stranger's network has its own, so that the owner of an account can sign in
 * from elsewhere while somebody guesses; a browser that the owner has signed in with counts alone.
 */
export const wrongCodeLimits = { perAccount: 50, perClient: 10, notifiedAfter: 10 } as const;
