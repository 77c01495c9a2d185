import { dayMs, hourMs } from "../kernel/durations.ts";

const firstRetryMs = 60_000;
const longestWaitMs = 4 * hourMs;

/** A mail that nobody took for this long goes no further (RFC 5321, 4.5.4.1: at least four to five days). */
export const giveUpAfterMs = 5 * dayMs;

/**
 * When a mail refused for now is tried again: after 1 minute, 2, 4 and so on, never more than 4 hours, up to a tenth
 * later by chance so that a thousand mails do not come back together. null: it has been tried for 5 days.
 */
export const retryAt = (mail: {
  readonly attempts: number;
  readonly createdAt: number;
  readonly now: number;
  /** In [0, 1). */
  readonly fraction: number;
}): number | null => {
  const last = mail.createdAt + giveUpAfterMs;
  if (mail.now >= last) return null;
  const wait = Math.min(firstRetryMs * 2 ** (mail.attempts - 1), longestWaitMs);
  return Math.min(Math.round(mail.now + wait * (1 + mail.fraction / 10)), last);
};
