const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How long a code can be used. */
export const codeForMs = 10 * minuteMs;
/** How often a code may be tried. */
export const triesPerCode = 5;
/** How many code mails an address gets within `codeMailsWithinMs`. */
export const codeMails = 5;
export const codeMailsWithinMs = 60 * minuteMs;

/** How long somebody new may take to choose a plan after the right code. */
export const ticketForMs = 30 * minuteMs;

/** How long a session lasts after its sign-in or its last refresh; the token and the cookies last as long. */
export const sessionForMs = 7 * dayMs;
/** A session's last use is noted no more often than this. */
export const noteUseEveryMs = 5 * minuteMs;
