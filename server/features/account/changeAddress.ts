import { type EmailAddress, type MailboxKey, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { OneTimeCode } from "../../../core/session/oneTimeCode.ts";
import type { User } from "../../../core/session/user.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { queueSystemMail } from "../../delivery/systemMail/systemMail.ts";
import { addressChangedMail } from "../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { newId } from "../../platform/store/id.ts";
import {
  findUserByMailbox,
  getLockedUser,
  getUser,
  type UserRow,
  updateUserAddress,
} from "../../platform/store/users.ts";
import { changeCustomerMailbox, findCustomerOfMailbox, releaseCustomer } from "../billing/customerQueries.ts";
import { confirmDestination, ensureDestination } from "../destinations/destinationQueries.ts";
import { redirectFurtherDestinations } from "../destinations/furtherDestinations.ts";
import { redirectMasks } from "../masks/maskQueries.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { createRequiredFactor } from "../session/twoFactor/requiredFactor.ts";
import type { ConsumeFactor, CountFactorTry } from "../session/twoFactor/secondFactor.ts";
import { deleteFactorTickets } from "../session/twoFactor/twoFactorQueries.ts";
import { toUser } from "../session/user.ts";
import { type AddressChangeRow, consumeAddressChange, tryAddressChange } from "./addressChangeQueries.ts";

export interface ChangeAddressDeps
  extends Pick<ServerContext, "database" | "hash" | "clock" | "random" | "sender" | "delivery"> {
  readonly consumeFactor: ConsumeFactor;
  readonly countFactorTry: CountFactorTry;
}

/** The code from the new mailbox, and the second factor if the account has one. */
export interface AddressProof {
  readonly email: EmailAddress;
  readonly code: OneTimeCode;
  readonly twoFactorCode?: string | undefined;
  /** True if masks that forward to the old address forward to the new one afterwards. */
  readonly movesMasks: boolean;
}

const wrongCode = (): UseCaseError =>
  fieldError("invalid", "code", "This code is not right or no longer works. Check it, or ask for a new one.");
const addressTaken = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "This address has an account of its own. Log in with it and delete that account first, or use another address.",
  );

const addressPaidFor = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "A plan was paid with this address before it had an account. Sign up with it to use the plan, or use another address.",
  );

/** Moves the user's billing customer to the new mailbox, and deletes an unpaid customer of that mailbox. */
const moveBilling = async (db: Db, userId: string, emailKey: MailboxKey, now: number): Promise<void> => {
  const existing = await findCustomerOfMailbox(db, emailKey);
  if (existing?.subscription_id) throw addressPaidFor();
  await releaseCustomer(db, emailKey, now);
  await changeCustomerMailbox(db, userId, emailKey);
};

/** Adds the new address as a destination and moves masks if requested; returns whether any mask was moved. */
const moveDestination = async (
  db: Db,
  { random, clock }: ChangeAddressDeps,
  user: UserRow,
  { email, email_key: emailKey }: AddressChangeRow,
  movesMasks: boolean,
): Promise<boolean> => {
  const now = clock.now();
  const newDestination = { id: newId(random), userId: user.id, email, emailKey, confirmedAt: now, now };
  const destination = await ensureDestination(db, newDestination);
  await confirmDestination(db, destination.id, now);
  if (!movesMasks) return false;
  const change = { from: user.email_key, to: destination.id };
  const isChanged = await redirectMasks(db, user.id, change, now);
  await redirectFurtherDestinations(db, user.id, change);
  return isChanged;
};

/**
 * Creates the function that prepares to change an account's address, given the code mailed there and the second factor if
 * there is one. One transaction changes the address and destinations, mails the old address, notifies and
 * announces it. Sessions stay active; unused sign-in tickets of the old mailbox are deleted. A code works once,
 * for 10 minutes, with at most 5 tries, each counted before the comparison. Rejects as "invalid", and
 * as "conflict" when the address has an account, which only the owner of that mailbox can learn.
 */
export const createChangeAddress = (deps: ChangeAddressDeps) => {
  const { database, hash, clock, random, sender, delivery } = deps;
  const requiredFactor = createRequiredFactor(deps, "twoFactorCode");

  const notify = async (db: Db, user: UserRow, email: EmailAddress, moved: boolean): Promise<void> => {
    const now = clock.now();
    const changed = { userId: user.id, resourceId: null, action: "updated" };
    const message = `The address of your account is now ${email}. Codes for logging in go there.`;
    await addNotification(db, { userId: user.id, type: "security", priority: "normal", message }, now);
    await appendEvent(db, { ...changed, resource: "account" }, now);
    if (moved) await appendEvent(db, { ...changed, resource: "masks" }, now);
    await queueSystemMail(db, sender, addressChangedMail(sender, user.email), { now, random });
  };

  /** Counts the tries before any code is compared. */
  const countTries = async (userId: string, proof: AddressProof): Promise<AddressChangeRow> => {
    const { db } = database;
    const now = clock.now();
    const user = await getUser(db, userId);
    requiredFactor.assertGiven(user, proof.twoFactorCode);
    const emailKey = mailboxKey(proof.email);
    const triedHash = hash("address-change", userId, emailKey, proof.code);
    const requested = await tryAddressChange(db, { user_id: userId, email_key: emailKey }, triedHash, now);
    if (!requested) throw wrongCode();
    await requiredFactor.countTry(user, proof.twoFactorCode);
    return requested;
  };

  const change = async (
    tx: Db,
    userId: string,
    { twoFactorCode, movesMasks }: AddressProof,
    requested: AddressChangeRow,
  ): Promise<User> => {
    const { email, email_key: emailKey } = requested;
    const now = clock.now();
    const user = await getLockedUser(tx, userId);
    await requiredFactor.consume(tx, user, twoFactorCode);
    if (!(await consumeAddressChange(tx, userId, requested.code_hash, now))) throw wrongCode();
    if (await findUserByMailbox(tx, emailKey)) throw addressTaken();
    await deleteFactorTickets(tx, userId);
    await moveBilling(tx, userId, emailKey, now);
    const moved = await moveDestination(tx, deps, user, requested, movesMasks);
    await notify(tx, user, email, moved);
    return toUser(await updateUserAddress(tx, userId, { email, emailKey }));
  };

  return async (userId: string, proof: AddressProof): Promise<Write<User>> => {
    const requested = await countTries(userId, proof);
    return (tx) => {
      afterCommit(tx, delivery.wake);
      return change(tx, userId, proof, requested).catch((error: unknown) => {
        // A concurrent sign-up with the same address causes the duplicate.
        throw database.engine.isDuplicate(error) ? addressTaken() : error;
      });
    };
  };
};
