import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { codeLifetimeMs } from "../../core/session/oneTimeCode.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { isMaskDomain, prepareSystemMail, type SystemMailSender } from "../delivery/systemMail.ts";
import { signInCodeMail } from "../delivery/systemMailTexts.ts";
import { fieldError } from "../http/httpError.ts";
import type { Database } from "../store/database.ts";
import { countCodeMailTo } from "./codeMailLimit.ts";
import { type KeyedHash, newCode } from "./keyedHash.ts";
import { replaceLoginCode } from "./signInQueries.ts";

export interface RequestCodeDeps {
  readonly database: Database;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: SystemMailSender;
  readonly delivery: Pick<Delivery, "wake">;
}

/**
 * Mails a new code to an address and invalidates the older one. The answer does not reveal whether an account
 * exists (D35). At most 5 mails per hour go to one mailbox.
 */
export const createRequestCode =
  ({ database, hash, clock, random, sender, delivery }: RequestCodeDeps) =>
  async (email: string): Promise<void> => {
    if (isMaskDomain(email, sender.maskDomain))
      throw fieldError(400, "email", "Please sign in with your own address: a mask cannot be used.");
    const now = clock.now();
    const emailKey = mailboxKey(email);
    const code = newCode(random);
    const mail = signInCodeMail(sender, email, code, codeLifetimeMs / 60_000);
    const queueMail = await prepareSystemMail(sender, mail, { now, random });

    await database.transaction(async (db) => {
      const sentAt = await countCodeMailTo(db, emailKey, now);
      await replaceLoginCode(db, emailKey, {
        codeHash: hash("code", emailKey, code),
        expiresAt: now + codeLifetimeMs,
        sentAt,
      });
      await queueMail(db);
    });
    delivery.wake();
  };
