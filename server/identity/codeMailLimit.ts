import { Refusal } from "../http/refusal.ts";
import { codeMails, codeMailsWithinMs } from "./lifetimes.ts";

const minutes = (ms: number): string => {
  const whole = Math.ceil(ms / 60_000);
  return whole === 1 ? "1 minute" : `${whole} minutes`;
};

const tooMany = (sentence: string, waitMs: number): Refusal =>
  new Refusal(429, `${sentence} Please try again in ${minutes(waitMs)}.`, {
    retryAfterS: Math.ceil(waitMs / 1_000),
  });

/**
 * The times of the mails that count, with the one that is sent now: at most 5 in an hour. Throws a 429 that begins with
 * `sentence` when it would be one more.
 */
export const countCodeMail = (
  sentAt: readonly number[],
  now: number,
  sentence: string,
): readonly number[] => {
  const recent = sentAt.filter((at) => at > now - codeMailsWithinMs);
  const [oldest = now] = recent;
  if (recent.length >= codeMails) throw tooMany(sentence, oldest + codeMailsWithinMs - now);
  return [...recent, now];
};

/** For the limit of one address, whoever asks. */
export const tooManyToAddress = "Too many codes were sent to this address.";
