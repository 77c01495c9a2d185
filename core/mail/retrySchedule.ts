import { dayMs, hourMs } from "../kernel/durations.ts";

const firstRetryMs = 60_000;
const maxWaitOnFirstDayMs = hourMs;
const maxWaitMs = 4 * hourMs;
/** Servers that have just kept an attempt waiting get this long before the next one. */
const shortestWaitMs = 10_000;

/** Delivery ends after this time without success (RFC 5321, 4.5.4.1: at least four to five days). */
export const giveUpAfterDays = 5;
export const giveUpAfterMs = giveUpAfterDays * dayMs;

/** The age at which the owner of a mail that is still not delivered is notified; the mail is tried once more at that moment. */
export const delayNoticeAfterMs = 4 * hourMs;

/**
 * Returns when a temporarily refused mail is tried again, in milliseconds since 1970: 1 minute after the attempt
 * began, 2, 4 and so on, at most 1 hour on the first day and then 4 hours, with up to 10 % jitter so that many mails
 * do not come back together; also when the owner is told of the delay. Null after 5 days.
 */
export const nextRetryAt = (mail: {
  readonly attempts: number;
  readonly createdAt: number;
  /** The beginning of the attempt: the time that a hanging server has taken counts as waited. */
  readonly attemptedAt: number;
  readonly now: number;
  /** A random number in [0, 1). */
  readonly fraction: number;
}): number | null => {
  const last = mail.createdAt + giveUpAfterMs;
  if (mail.now >= last) return null;
  const longest = mail.now - mail.createdAt < dayMs ? maxWaitOnFirstDayMs : maxWaitMs;
  const wait = Math.min(firstRetryMs * 2 ** (mail.attempts - 1), longest);
  const left = Math.max(mail.attemptedAt + wait - mail.now, shortestWaitMs);
  const notice = mail.createdAt + delayNoticeAfterMs;
  const end = mail.now < notice ? notice : last;
  return Math.min(Math.round(mail.now + left * (1 + mail.fraction / 10)), end);
};
