import { type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { codeLifetimeMs } from "../../../core/session/oneTimeCode.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { isAddressOfMasks } from "../../delivery/addressOfMasks.ts";
import { prepareSystemMail } from "../../delivery/systemMail/systemMail.ts";
import { newAddressCodeMail } from "../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, type UseCaseError } from "../../platform/errors/useCaseError.ts";
import { newCode } from "../../platform/ops/keyedHash.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Write } from "../../platform/store/database.ts";
import { getUser } from "../../platform/store/users.ts";
import { countCodeMail, countCodeMailTo } from "../signInCodes/codeMailLimit.ts";
import { lockAddressChange, replaceAddressChange } from "./addressChangeQueries.ts";

const maskAddress = (): UseCaseError =>
  fieldError(
    "invalid",
    "email",
    "A mask cannot be the address of your account. Type an address of your own.",
  );
const sameAddress = (): UseCaseError =>
  fieldError("invalid", "email", "This is the address of your account already. Type another one.");

/**
 * Mails a code to a user's requested new address and invalidates the previous code. The answer does not reveal
 * whether that address has an account. At most 5 code mails per hour go to one mailbox, sign-in codes included,
 * and 5 to all addresses that one user requests. Rejects with 400 for the account's own address and for a mask,
 * and with 429 over the limit.
 */
export const createRequestAddress =
  ({
    database,
    hash,
    clock,
    random,
    sender,
    delivery,
  }: Pick<ServerContext, "database" | "hash" | "clock" | "random" | "sender" | "delivery">) =>
  async (userId: string, email: EmailAddress): Promise<Write<void>> => {
    const emailKey = mailboxKey(email);
    const user = await getUser(database.db, userId);
    if (isSameMailbox(email, user.email)) throw sameAddress();
    if (await isAddressOfMasks(database.db, email, sender.maskDomain)) throw maskAddress();
    const now = clock.now();
    const code = newCode(random);
    const mail = newAddressCodeMail(sender, email, code, codeLifetimeMs / 60_000);
    const queueMail = await prepareSystemMail(sender, mail, { now, random });

    return async (tx) => {
      const recentRequests = await lockAddressChange(tx, userId);
      const sentAt = countCodeMail(recentRequests, now, "You have asked for many codes.");
      await countCodeMailTo(tx, emailKey, now);
      await replaceAddressChange(tx, userId, {
        email,
        emailKey,
        codeHash: hash("address-change", userId, emailKey, code),
        expiresAt: now + codeLifetimeMs,
        sentAt,
      });
      await queueMail(tx);
      afterCommit(tx, delivery.wake);
    };
  };
