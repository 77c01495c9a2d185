import type { User } from "../../core/account/user.ts";
import { type EmailAddress, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { OneTimeCode } from "../../core/session/oneTimeCode.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { Keep } from "../http/once.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import { type KeyedHash, sameHash } from "../identity/keyedHash.ts";
import { knownUser, lockedUser } from "../identity/knownUser.ts";
import { triesPerCode } from "../identity/lifetimes.ts";
import { userOf } from "../identity/user.ts";
import { addressChangedMail } from "../mailing/addressChangedMail.ts";
import { composeOwnMail, type Sender } from "../mailing/ownMail.ts";
import { queueOwnMail } from "../mailing/queueOwnMail.ts";
import { type AddressChangeRow, countAddressTry, takeAddressChange } from "../store/addressChanges.ts";
import { customerOfMailbox, moveCustomer } from "../store/billingCustomers.ts";
import { releaseCustomer } from "../store/billingFarewells.ts";
import type { Database, Db } from "../store/database.ts";
import { confirmDestination, ensureDestination } from "../store/destinations.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import { newId } from "../store/id.ts";
import { moveMasks } from "../store/masks.ts";
import { addNotification } from "../store/notifications.ts";
import { dropFactorTickets } from "../store/secondFactorTickets.ts";
import { setAddress, type UserRow, userOfMailbox } from "../store/users.ts";
import { makeRequiredFactor } from "../twoFactor/requiredFactor.ts";
import type { TakeFactor } from "../twoFactor/secondFactor.ts";

export interface ChangeAddressParts {
  readonly database: Database;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: Sender;
  readonly takeFactor: TakeFactor;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly delivery: Pick<Delivery, "wake">;
}

/** What somebody enters to prove the new mailbox and that they are who they are. */
export interface AddressProof {
  readonly email: EmailAddress;
  readonly code: OneTimeCode;
  readonly twoFactorCode?: string | undefined;
  /** Whether masks that forward to the old address forward to the new one from now on. */
  readonly movesMasks: boolean;
}

const wrongCode = (): Refusal =>
  refusedField(
    400,
    "code",
    "This code is not right or no longer works. Please check it, or ask for a new one.",
  );
const taken = (): Refusal =>
  new Refusal(
    409,
    "This address has an account of its own. Sign in with it and delete that account first, or use another address.",
  );

const paidFor = (): Refusal =>
  new Refusal(
    409,
    "A plan was paid with this address before it had an account. Sign up with it to use the plan, or use another address.",
  );

/** What the user pays is paid by the new mailbox from now on; a payment that was only begun there is given up. */
const moveBilling = async (db: Db, userId: string, emailKey: string, now: number): Promise<void> => {
  const begun = await customerOfMailbox(db, emailKey);
  if (begun?.subscription_id) throw paidFor();
  await releaseCustomer(db, emailKey, now);
  await moveCustomer(db, userId, emailKey);
};

/** The user's mail goes to the new address where it went to the old one; answers whether any mask was moved. */
const followAddress = async (
  db: Db,
  { random, clock }: ChangeAddressParts,
  user: UserRow,
  { email, email_key: emailKey }: AddressChangeRow,
  movesMasks: boolean,
): Promise<boolean> => {
  const now = clock.now();
  const wanted = { id: newId(random), userId: user.id, email, emailKey, confirmedAt: now, now };
  const destination = await ensureDestination(db, wanted);
  await confirmDestination(db, destination.id, now);
  if (!movesMasks) return false;
  return moveMasks(db, user.id, { from: user.email_key, to: destination.id }, now);
};

/**
 * Makes what gives an account another address, for the code that was mailed there and, where the account has one, a
 * second factor. In one transaction: the address, where masks forward to, a mail to the old address, a notification and
 * the event by which all pages follow. Sessions go on; what the old mailbox has proved and not used yet does not.
 * A code works once, for 10 minutes, with at most 5 tries, each counted before the code is compared. Rejects with a 400
 * `Refusal`, and with 409 when the address has an account: that is told only to whoever can read its mail.
 */
export const makeChangeAddress = (parts: ChangeAddressParts) => {
  const { database, hash, clock, random, sender, feed, delivery } = parts;
  const factor = makeRequiredFactor(parts, "twoFactorCode");

  const tell = async (db: Db, user: UserRow, email: EmailAddress, moved: boolean): Promise<void> => {
    const now = clock.now();
    const changed = { userId: user.id, resourceId: null, action: "updated" };
    const message = `The address of your account is now ${email}. Codes for signing in go there.`;
    await addNotification(db, { userId: user.id, type: "security", priority: "normal", message }, now);
    await appendEvent(db, { ...changed, resource: "account" }, now);
    if (moved) await appendEvent(db, { ...changed, resource: "masks" }, now);
    const content = await composeOwnMail(sender, addressChangedMail(sender, user.email), { now, random });
    await queueOwnMail(db, sender, { recipient: user.email, content }, { now, random });
  };

  /** Everything that is counted, before anything is compared. */
  const count = async (userId: string, proof: AddressProof): Promise<AddressChangeRow> => {
    const { db } = database;
    const now = clock.now();
    const user = await knownUser(db, userId);
    factor.demand(user, proof.twoFactorCode);
    const emailKey = mailboxKey(proof.email);
    const wanted = await countAddressTry(db, { user_id: userId, email_key: emailKey }, now, triesPerCode);
    const tried = hash("address-change", userId, emailKey, proof.code);
    if (!wanted || !sameHash(tried, wanted.code_hash)) throw wrongCode();
    await factor.count(user, proof.twoFactorCode);
    return wanted;
  };

  return async (userId: string, proof: AddressProof, keep: Keep<User>): Promise<User> => {
    const wanted = await count(userId, proof);
    const { email, email_key: emailKey } = wanted;
    const change = async (db: Db): Promise<User> => {
      const now = clock.now();
      const user = await lockedUser(db, userId);
      await factor.take(db, user, proof.twoFactorCode);
      if (!(await takeAddressChange(db, userId, wanted.code_hash, now))) throw wrongCode();
      if (await userOfMailbox(db, emailKey)) throw taken();
      await dropFactorTickets(db, userId);
      await moveBilling(db, userId, emailKey, now);
      const moved = await followAddress(db, parts, user, wanted, proof.movesMasks);
      await tell(db, user, email, moved);
      return keep(db, userOf(await setAddress(db, userId, { email, emailKey })));
    };
    const changed = await database.transaction(change).catch((error: unknown) => {
      // Somebody signed up with the address in the same moment.
      throw database.engine.isDuplicate(error) ? taken() : error;
    });
    feed.nudge();
    delivery.wake();
    return changed;
  };
};
