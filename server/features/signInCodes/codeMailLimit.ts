import { domainOf, localPartOf, type MailboxKey, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { mailboxName } from "../../../core/mail/mailboxName.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { countCode } from "./codeCountQueries.ts";
import { codeMailsWithinMs, maxCodeMails, maxCodeMailsOfNetwork } from "./codeLimits.ts";
import { lockLoginCode, recordCodeMail } from "./signInQueries.ts";

/** Domains of one provider that ignores dots in the local part. */
const dotlessDomains = new Set(["gmail.com", "googlemail.com"]);

/**
 * Returns the key under which a mailbox's address variants are counted: "me+shop@…" is "me@…" (RFC 5233), in one script. For
 * mail limits only, never to identify a user, because other providers may treat these addresses as different.
 */
export const baseMailboxOf = (emailKey: MailboxKey): MailboxKey => {
  const mailbox = mailboxName(emailKey);
  const [name = "", domain] = [localPartOf(mailbox).split("+", 1)[0], domainOf(mailbox)];
  if (name === "") return mailboxKey(mailbox);
  return mailboxKey(
    dotlessDomains.has(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`,
  );
};

const minutes = (ms: number): string => {
  const count = Math.ceil(ms / 60_000);
  return count === 1 ? "1 minute" : `${count} minutes`;
};

const tooMany = (message: string, waitMs: number): UseCaseError =>
  new UseCaseError("too-often", `${message} Try again in ${minutes(waitMs)}.`, {
    retryAfterS: Math.ceil(waitMs / 1_000),
  });

/** Adds this mail to the send times of the period; throws a 429 that begins with `message` beyond 5 per hour. */
export const countCodeMail = (sentAt: readonly number[], now: number, message: string): readonly number[] => {
  const recent = sentAt.filter((at) => at > now - codeMailsWithinMs);
  const [oldest = now] = recent;
  if (recent.length >= maxCodeMails) throw tooMany(message, oldest + codeMailsWithinMs - now);
  return [...recent, now];
};

/** Counts a code mail that a network causes; throws a 429 beyond 60 per hour, whatever the addresses are. */
export const countMailOfNetwork = async (db: Db, key: string, now: number): Promise<void> => {
  const count = await countCode(db, { key, kind: "mails", withinMs: codeMailsWithinMs }, now);
  if (count > maxCodeMailsOfNetwork)
    throw tooMany("Too many codes were sent for your network.", codeMailsWithinMs);
};

/** Counts a mail under a key in the transaction that queues it; returns and throws as `countCodeMail`. */
export const countMailForKey = async (
  db: Db,
  key: string,
  now: number,
  message: string,
): Promise<readonly number[]> => {
  const sentAt = countCodeMail(await lockLoginCode(db, key), now, message);
  await recordCodeMail(db, key, sentAt, now);
  return sentAt;
};

export const tooManyToAddress = "Too many codes were sent to this address.";

/** Counts a code mail, at most 5 per hour to a mailbox with all its variants; returns this address's send times. */
export const countCodeMailTo = async (
  db: Db,
  emailKey: MailboxKey,
  now: number,
): Promise<readonly number[]> => {
  const sentAt = await countMailForKey(db, emailKey, now, tooManyToAddress);
  const baseKey = baseMailboxOf(emailKey);
  if (baseKey !== emailKey) await countMailForKey(db, baseKey, now, tooManyToAddress);
  return sentAt;
};
