import type { EmailAddress } from "../../core/mail/emailAddress.ts";
import { Refusal } from "../http/refusal.ts";
import type { Db } from "../store/database.ts";
import { lockCode, noteCodeMail } from "../store/loginCodes.ts";
import { codeMails, codeMailsWithinMs } from "./lifetimes.ts";
import { readerOf } from "./reader.ts";

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

/**
 * Counts a mail to somebody who has perhaps not asked for it under a name of theirs, in the transaction that queues it.
 * Answers the times that count; throws a 429 that begins with `sentence` when it would be the sixth in an hour.
 */
export const countMailUnder = async (
  db: Db,
  name: string,
  now: number,
  sentence: string,
): Promise<readonly number[]> => {
  const sentAt = countCodeMail(await lockCode(db, name), now, sentence);
  await noteCodeMail(db, name, sentAt, now);
  return sentAt;
};

const tooManyToAddress = "Too many codes were sent to this address.";

/**
 * Counts a code mail to an address, whoever asks: at most 5 an hour to one mailbox, with all the addresses that lead to
 * it. Answers the times that count for the address.
 */
export const countCodeMailTo = async (
  db: Db,
  emailKey: EmailAddress,
  now: number,
): Promise<readonly number[]> => {
  const sentAt = await countMailUnder(db, emailKey, now, tooManyToAddress);
  const reader = readerOf(emailKey);
  if (reader !== emailKey) await countMailUnder(db, reader, now, tooManyToAddress);
  return sentAt;
};
