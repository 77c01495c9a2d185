import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { refusedField } from "../http/refusal.ts";
import { codeMail } from "../mailing/codeMail.ts";
import { isOwnDomain } from "../mailing/ownDomain.ts";
import { composeOwnMail, type Sender } from "../mailing/ownMail.ts";
import { queueOwnMail } from "../mailing/queueOwnMail.ts";
import type { Database } from "../store/database.ts";
import { replaceCode } from "../store/loginCodes.ts";
import { countCodeMailTo } from "./codeMailLimit.ts";
import type { KeyedHash } from "./keyedHash.ts";
import { codeForMs } from "./lifetimes.ts";
import { newCode } from "./secret.ts";

export interface RequestCodeParts {
  readonly database: Database;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: Sender;
  readonly delivery: Pick<Delivery, "wake">;
}

/**
 * Mails a new code to an address. Whether anybody there has an account is not looked at, so nothing about the answer
 * can tell (D35). The older code dies; at most 5 mails an hour go to one mailbox.
 */
export const makeRequestCode =
  ({ database, hash, clock, random, sender, delivery }: RequestCodeParts) =>
  async (email: string): Promise<void> => {
    if (isOwnDomain(email, sender.maskDomain))
      throw refusedField(400, "email", "Please sign in with your own address: a mask cannot be used.");
    const now = clock.now();
    const emailKey = mailboxKey(email);
    const code = newCode(random);
    const content = await composeOwnMail(sender, codeMail(sender, email, code, codeForMs / 60_000), {
      now,
      random,
    });

    await database.transaction(async (db) => {
      const sentAt = await countCodeMailTo(db, emailKey, now);
      await replaceCode(db, emailKey, {
        codeHash: hash("code", emailKey, code),
        expiresAt: now + codeForMs,
        sentAt,
      });
      await queueOwnMail(db, sender, { recipient: email, content }, { now, random });
    });
    delivery.wake();
  };
