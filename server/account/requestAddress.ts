import { type EmailAddress, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { type Refusal, refusedField } from "../http/refusal.ts";
import { countCodeMail, countCodeMailTo } from "../identity/codeMailLimit.ts";
import type { KeyedHash } from "../identity/keyedHash.ts";
import { knownUser } from "../identity/knownUser.ts";
import { codeForMs } from "../identity/lifetimes.ts";
import { newCode } from "../identity/secret.ts";
import { newAddressMail } from "../mailing/newAddressMail.ts";
import { isOwnDomain } from "../mailing/ownDomain.ts";
import { composeOwnMail, type Sender } from "../mailing/ownMail.ts";
import { queueOwnMail } from "../mailing/queueOwnMail.ts";
import { lockAddressChange, replaceAddressChange } from "../store/addressChanges.ts";
import type { Database } from "../store/database.ts";

export interface RequestAddressParts {
  readonly database: Database;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: Sender;
  readonly delivery: Pick<Delivery, "wake">;
}

const maskAddress = (): Refusal =>
  refusedField(
    400,
    "email",
    "A mask cannot be the address of your account. Please type an address of your own.",
  );
const sameAddress = (): Refusal =>
  refusedField(400, "email", "This is the address of your account already. Please type another one.");

/**
 * Mails a code to an address that a user wants for their account; the code before it dies. Whether somebody there has
 * an account is not looked at, so nothing about the answer can tell. At most 5 code mails an hour go to one mailbox,
 * codes for signing in included, and 5 to all the addresses that one user asks for. Rejects with a 400 `Refusal` for
 * the account's own address and for a mask's, with a 429 over the limit.
 */
export const makeRequestAddress =
  ({ database, hash, clock, random, sender, delivery }: RequestAddressParts) =>
  async (userId: string, email: EmailAddress): Promise<void> => {
    const emailKey = mailboxKey(email);
    const user = await knownUser(database.db, userId);
    if (emailKey === user.email_key) throw sameAddress();
    if (isOwnDomain(email, sender.maskDomain)) throw maskAddress();
    const now = clock.now();
    const code = newCode(random);
    const mail = newAddressMail(sender, email, code, codeForMs / 60_000);
    const content = await composeOwnMail(sender, mail, { now, random });

    await database.transaction(async (db) => {
      const asked = await lockAddressChange(db, userId);
      const sentAt = countCodeMail(asked, now, "You have asked for many codes.");
      await countCodeMailTo(db, emailKey, now);
      await replaceAddressChange(db, userId, {
        email,
        emailKey,
        codeHash: hash("address-change", userId, emailKey, code),
        expiresAt: now + codeForMs,
        sentAt,
      });
      await queueOwnMail(db, sender, { recipient: email, content }, { now, random });
    });
    delivery.wake();
  };
