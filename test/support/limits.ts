import { minuteMs } from "../../core/kernel/durations.ts";

/**
 * For a test that does one thing some thousand times, or starts many processes: mocha's own limit is too short for it
 * on a busy machine. No test fails earlier for being slow.
 */
export const longTestMs = 10 * minuteMs;

/** When a program or a page that a test has started counts as hung. */
export const hungMs = minuteMs;

/** How long a connection to SQLite waits for the lock of a server that writes to the same file. */
export const lockWaitMs = 10_000;
