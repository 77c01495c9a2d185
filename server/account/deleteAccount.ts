import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { type Refusal, refusedField } from "../http/refusal.ts";
import { sessionEnded } from "../identity/endSession.ts";
import { knownUser, lockedUser } from "../identity/knownUser.ts";
import { farewellMail } from "../mailing/farewellMail.ts";
import { composeOwnMail, type Sender } from "../mailing/ownMail.ts";
import { queueOwnMail } from "../mailing/queueOwnMail.ts";
import type { Database } from "../store/database.ts";
import { appendEvent } from "../store/events.ts";
import { liveSessionsOf } from "../store/sessions.ts";
import { deleteUser } from "../store/userData.ts";
import { makeRequiredFactor } from "../twoFactor/requiredFactor.ts";
import type { TakeFactor } from "../twoFactor/secondFactor.ts";

export interface DeleteAccountParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: Sender;
  readonly takeFactor: TakeFactor;
  readonly delivery: Pick<Delivery, "wake">;
}

/** What somebody typed to show that they mean it. */
export interface Confirmation {
  readonly email: string;
  readonly code?: string | undefined;
}

const anotherAddress = (): Refusal =>
  refusedField(400, "email", "This is not the address of your account. Please type it as it stands there.");
/**
 * Makes what removes an account in one transaction: sessions and their sockets, masks, rules, statistics, stored and
 * queued mail, and whatever else is the user's. The addresses of the masks stay reserved. Its owner gets a last mail,
 * and what they pay for is ended (server/billing/farewells.ts).
 * Rejects with 400 unless the address is typed and, for an account with two factors, a second factor is given.
 */
export const makeDeleteAccount = (parts: DeleteAccountParts) => {
  const { database, clock, random, sender, delivery } = parts;
  const factor = makeRequiredFactor(parts, "code");

  return async (userId: string, { email, code }: Confirmation): Promise<void> => {
    const now = clock.now();
    const asking = await knownUser(database.db, userId);
    if (mailboxKey(email.trim()) !== asking.email_key) throw anotherAddress();
    await factor.count(asking, code);
    const content = await composeOwnMail(sender, farewellMail(sender, asking.email), { now, random });

    await database.transaction(async (db) => {
      const user = await lockedUser(db, userId);
      await factor.take(db, user, code);
      for (const { id } of await liveSessionsOf(db, userId, now))
        await appendEvent(db, { ...sessionEnded, userId, resourceId: id }, now);
      await deleteUser(db, user, now);
      await queueOwnMail(db, sender, { recipient: user.email, content }, { now, random });
    });
    // The sockets hear of it from the feed's next look: the page that asked has its answer by then.
    delivery.wake();
  };
};
