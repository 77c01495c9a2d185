import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { prepareSystemMail } from "../../delivery/systemMail/systemMail.ts";
import { accountDeletedMail } from "../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, type UseCaseError } from "../../platform/errors/useCaseError.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { getLockedUser, getUser } from "../../platform/store/users.ts";
import { revokeAllApiTokens } from "../apiTokens/apiTokenQueries.ts";
import { listActiveSessions } from "../session/sessionQueries.ts";
import { sessionEnded } from "../session/sessions.ts";
import { createRequiredFactor } from "../session/twoFactor/requiredFactor.ts";
import type { ConsumeFactor, CountFactorTry } from "../session/twoFactor/secondFactor.ts";
import { deleteUser } from "./userDataQueries.ts";

export interface DeleteAccountDeps
  extends Pick<ServerContext, "database" | "clock" | "random" | "sender" | "delivery"> {
  readonly consumeFactor: ConsumeFactor;
  readonly countFactorTry: CountFactorTry;
}

/** The values that the user enters to confirm the deletion. */
export interface DeletionConfirmation {
  readonly email: string;
  readonly code?: string | undefined;
}

const anotherAddress = (): UseCaseError =>
  fieldError("invalid", "email", "This is not the address of your account. Type it exactly as it is shown.");
/**
 * Creates the function that deletes an account and all its data in one transaction. Mask addresses stay
 * reserved. The user gets a last mail, and the payments end (server/features/billing/customerDeletion.ts). Rejects with
 * 400 unless the address and the second factor, if the account has one, are right.
 */
export const createDeleteAccount = (deps: DeleteAccountDeps) => {
  const { database, clock, random, sender, delivery } = deps;
  const requiredFactor = createRequiredFactor(deps, "code");

  return async (userId: string, { email, code }: DeletionConfirmation): Promise<void> => {
    const now = clock.now();
    const requester = await getUser(database.db, userId);
    if (!isSameMailbox(email.trim(), requester.email)) throw anotherAddress();
    await requiredFactor.countTry(requester, code);
    const queueMail = await prepareSystemMail(sender, accountDeletedMail(sender, requester.email), {
      now,
      random,
    });

    await database.transaction(async (db) => {
      const user = await getLockedUser(db, userId);
      await requiredFactor.consume(db, user, code);
      for (const { id } of await listActiveSessions(db, userId, now))
        await appendEvent(db, { ...sessionEnded, userId, resourceId: id }, now);
      await revokeAllApiTokens(db, userId, now);
      await deleteUser(db, user, now);
      await queueMail(db);
    });
    // The sockets close when the feed next reads the event, after the response to this request.
    delivery.wake();
  };
};
