/** Tries to connect again after which only the user begins anew (RT5). */
export const maxAttempts = 5;
/** An opening takes at most this long (RT6). */
export const connectWithinMs = 15_000;
export const heartbeatEachMs = 30_000;
/** A heartbeat is answered within this time, or nobody is there (RT6). */
export const replyWithinMs = 10_000;
/** Without activity for this long the connection is closed on purpose (RT6). */
export const inactiveAfterMs = 600_000;
/** What was said while there was no connection is sent this long after it opened (RT8). */
export const flushAfterMs = 500;
/** A try without a token is repeated after this long (RT7). */
export const noTokenRetryMs = 3_000;
/** When the server asks for another connection without saying when (RT7). */
export const serverRetryMs = 5_000;
/** The longest wait that a server may ask for. */
export const longestServerRetryMs = 600_000;
/** A server that is full is left alone for this long. */
export const fullServerRetryMs = 30_000;
