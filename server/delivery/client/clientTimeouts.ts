/** Time limits in milliseconds. */
export interface ClientTimeouts {
  readonly connectMs: number;
  readonly greetingMs: number;
  /** For the answer to a command. */
  readonly commandMs: number;
  /** For the server to accept what is written. */
  readonly blockMs: number;
  /** For the answer to a mail. */
  readonly contentMs: number;
  /** The time for which an unused connection is kept. */
  readonly idleMs: number;
  /** After a longer pause the server may have closed the connection, and content is sent when it has answered. */
  readonly freshMs: number;
}

const secondMs = 1_000;

/**
 * Time limits of each step. RFC 5321, 4.5.3.2 allows more for some, but a retry costs less than a blocked
 * connection; except for the answer to a mail, where a retry causes a duplicate.
 */
export const clientTimeouts: ClientTimeouts = {
  connectMs: 30 * secondMs,
  greetingMs: 60 * secondMs,
  commandMs: 120 * secondMs,
  blockMs: 120 * secondMs,
  contentMs: 600 * secondMs,
  idleMs: 30 * secondMs,
  freshMs: secondMs,
};
