/** The number of reconnection attempts after which only the user can reconnect (RT5). */
export const maxAttempts = 5;
/** The time that opening a connection may take (RT6). */
export const connectWithinMs = 15_000;
export const heartbeatEachMs = 30_000;
/** The time that the server may take to answer a heartbeat before the connection counts as lost (RT6). */
export const replyWithinMs = 10_000;
/** The time for which a connection without activity stays open (RT6). */
export const inactiveAfterMs = 600_000;
/** The time from opening the connection until the queued messages are sent (RT8). */
export const flushAfterMs = 500;
/** The time that an accepted connection must live before earlier attempts no longer count. */
export const stableAfterMs = 30_000;
/** The time to wait after an attempt without a token (RT7). */
export const noTokenRetryMs = 3_000;
/** The time to wait when the server requests a reconnection without a delay (RT7). */
export const serverRetryMs = 5_000;
/** The longest delay that the server can request. */
export const longestServerRetryMs = 600_000;
/** The time to wait after the server has closed the connection with 1013 (try again later). */
export const fullServerRetryMs = 30_000;

const baseMs = 2_000;
const factor = 1.5;
const jitter = 0.2;
const capMs = 30_000;

/**
 * Calculates the delay in milliseconds before a reconnection attempt: 2 s × 1.5^attempt, ±20 %, at most 30 s
 * (RT5). `attempt` counts the earlier attempts in a row; `fraction` in [0, 1) selects the jitter.
 */
export const reconnectDelay = (attempt: number, fraction: number): number =>
  Math.min(capMs, Math.round(baseMs * factor ** attempt * (1 - jitter + 2 * jitter * fraction)));
