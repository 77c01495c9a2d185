import { type MailboxKey, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { mailboxName } from "../../../../core/mail/mailboxName.ts";
import { codeLifetimeMs, type OneTimeCode } from "../../../../core/session/oneTimeCode.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import { isAddressOfMasks } from "../../../delivery/addressOfMasks.ts";
import { passkeysOnlyMail } from "../../../delivery/systemMail/passkeyMailTexts.ts";
import { prepareSystemMail, type SystemMail } from "../../../delivery/systemMail/systemMail.ts";
import { signInCodeMail } from "../../../delivery/systemMail/systemMailTexts.ts";
import { fieldError } from "../../../platform/errors/useCaseError.ts";
import { newCode } from "../../../platform/ops/keyedHash.ts";
import { findUserByMailbox } from "../../../platform/store/users.ts";
import {
  countCodeMailTo,
  countMailForKey,
  countMailOfNetwork,
  tooManyToAddress,
} from "../../signInCodes/codeMailLimit.ts";
import type { CodeNetwork } from "../../signInCodes/codeNetwork.ts";
import { replaceLoginCode } from "../../signInCodes/signInQueries.ts";
import { countRecoveryCodes } from "../twoFactor/twoFactorQueries.ts";

/** The request for a code. */
export interface CodeRequest {
  readonly email: string;
  /** The id of a browser in which the mailbox has logged in before; null for others. */
  readonly browser: string | null;
  readonly network: CodeNetwork;
}

/** Returns the key of a mailbox's code: a known browser has its own, which strangers neither replace nor use up. */
export const codeKeyOf = (emailKey: MailboxKey, browser: string | null): string =>
  browser === null ? emailKey : `${emailKey} ${browser}`;

/**
 * Mails a new code to an address and invalidates the older one. The answer does not reveal whether an account
 * exists (D35). At most 5 mails per hour go to one mailbox, and 5 to each browser known to it; 60 come of one network.
 */
export const createRequestCode = ({
  database,
  hash,
  clock,
  random,
  sender,
  delivery,
}: Pick<ServerContext, "database" | "hash" | "clock" | "random" | "sender" | "delivery">) => {
  /** Creates the mail with a code. Where only passkeys log in, it says that the code needs a recovery code beside it. */
  const mailWith = async (email: string, code: OneTimeCode): Promise<SystemMail> => {
    const validMinutes = codeLifetimeMs / 60_000;
    const user = await findUserByMailbox(database.db, mailboxKey(email));
    const recoveryCodes = await countRecoveryCodes(database.db, user?.id ?? "");
    return user?.passkeys_only === 1
      ? passkeysOnlyMail(sender, email, { code: recoveryCodes > 0 ? code : null, validMinutes })
      : signInCodeMail(sender, email, code, validMinutes);
  };

  return async ({ email, browser, network }: CodeRequest): Promise<void> => {
    if (await isAddressOfMasks(database.db, email, sender.maskDomain))
      throw fieldError("invalid", "email", "Log in with your own address: a mask cannot be used.");
    const now = clock.now();
    const emailKey = mailboxKey(mailboxName(email));
    const code = newCode(random);
    const mail = await mailWith(email, code);
    const queueMail = await prepareSystemMail(sender, mail, { now, random });

    await database.transaction(async (db) => {
      if (!network.isLocal) await countMailOfNetwork(db, hash("code-mails", network.name), now);
      const codeKey = codeKeyOf(emailKey, browser);
      const sentAt =
        browser === null
          ? await countCodeMailTo(db, emailKey, now)
          : await countMailForKey(db, codeKey, now, tooManyToAddress);
      await replaceLoginCode(db, codeKey, {
        codeHash: hash("code", emailKey, code),
        expiresAt: now + codeLifetimeMs,
        sentAt,
      });
      await queueMail(db);
    });
    delivery.wake();
  };
};
