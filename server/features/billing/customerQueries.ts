import type { Selectable } from "kysely";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Db } from "../../platform/store/database.ts";
import type { BillingCustomersTable } from "./billingTables.ts";

/** The time for which an unpaid customer without an account is stored. */
const unpaidCustomerLifetimeMs = 2 * dayMs;
/** The time for which handled provider events are remembered; the provider resends events for at most 30 days. */
const eventLifetimeMs = 60 * dayMs;

export type BillingCustomerRow = Selectable<BillingCustomersTable>;

/** The subscription of a customer as the payment provider reports it. */
export interface PaidPlan {
  readonly subscriptionId: string | null;
  readonly tier: string | null;
  readonly status: string;
  readonly endsAt: number | null;
}

/** A mailbox whose owner pays, or is about to. */
export interface Payer {
  readonly emailKey: MailboxKey;
  /** null before the account exists. */
  readonly userId: string | null;
}

/** Returns the customer of a mailbox, creating it if there is none; sets its user once there is one. */
export const ensureCustomer = async (
  db: Db,
  { emailKey, userId }: Payer,
  created: { readonly id: string; readonly now: number },
): Promise<BillingCustomerRow> => {
  const values = {
    id: created.id,
    email_key: emailKey,
    user_id: userId,
    customer_id: null,
    subscription_id: null,
    tier: null,
    status: "none",
    ends_at: null,
    asked: 0,
    known: 0,
    created_at: created.now,
  };
  // Any conflict: parallel requests of one account may meet at its id before they meet at its mailbox.
  await db
    .insertInto("billing_customers")
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .updateTable("billing_customers")
    .set((eb) => ({ user_id: eb.fn.coalesce("user_id", eb.val(userId)) }))
    .where("email_key", "=", emailKey)
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Stores the provider's id of a customer; false when the customer is deleted or has another id. */
export const setProviderCustomerId = async (db: Db, id: string, customerId: string): Promise<boolean> => {
  const updated = await db
    .updateTable("billing_customers")
    .set({ customer_id: customerId })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("customer_id", "is", null), eb("customer_id", "=", customerId)]))
    .returning("id")
    .execute();
  return updated.length === 1;
};

export const findCustomerOfMailbox = (
  db: Db,
  emailKey: MailboxKey,
): Promise<BillingCustomerRow | undefined> =>
  db.selectFrom("billing_customers").selectAll().where("email_key", "=", emailKey).executeTakeFirst();

export const findCustomerByProviderId = (
  db: Db,
  customerId: string,
): Promise<BillingCustomerRow | undefined> =>
  db.selectFrom("billing_customers").selectAll().where("customer_id", "=", customerId).executeTakeFirst();

/** Returns the number of the next request to the provider; undefined when no customer has that id. */
export const nextRequestNumber = async (db: Db, customerId: string): Promise<number | undefined> => {
  const row = await db
    .updateTable("billing_customers")
    .set((eb) => ({ asked: eb("asked", "+", 1) }))
    .where("customer_id", "=", customerId)
    .returning("asked")
    .executeTakeFirst();
  return row?.asked;
};

/**
 * Stores the answer to request `number`; "older" when a later answer is stored already, "changed" when the
 * customer got a user or was deleted since `before` was read.
 */
export const savePaidPlan = async (
  db: Db,
  before: BillingCustomerRow,
  number: number,
  plan: PaidPlan,
): Promise<"written" | "older" | "changed"> => {
  const written = await db
    .updateTable("billing_customers")
    .set({
      subscription_id: plan.subscriptionId,
      tier: plan.tier,
      status: plan.status,
      ends_at: plan.endsAt,
      known: number,
    })
    .where("id", "=", before.id)
    .where("user_id", before.user_id === null ? "is" : "=", before.user_id)
    .where("known", "<", number)
    .returning("id")
    .execute();
  if (written.length === 1) return "written";
  const current = await db
    .selectFrom("billing_customers")
    .select(["user_id", "known"])
    .where("id", "=", before.id)
    .executeTakeFirst();
  return current && current.user_id === before.user_id ? "older" : "changed";
};

/** Resets a customer that the provider no longer has: the next payment creates another under a new id. */
export const resetCustomer = async (db: Db, id: string, newId: string): Promise<void> => {
  await db
    .updateTable("billing_customers")
    .set({ id: newId, customer_id: null, subscription_id: null, tier: null, status: "none", ends_at: null })
    .where("id", "=", id)
    .execute();
};

/** Sets the user of a mailbox's customer; undefined when the mailbox has no customer. */
export const setCustomerUser = (
  db: Db,
  emailKey: MailboxKey,
  userId: string,
): Promise<BillingCustomerRow | undefined> =>
  db
    .updateTable("billing_customers")
    .set({ user_id: userId })
    .where("email_key", "=", emailKey)
    .returningAll()
    .executeTakeFirst();

/** Moves a user's customer to another mailbox, which must have none. */
export const changeCustomerMailbox = async (db: Db, userId: string, emailKey: MailboxKey): Promise<void> => {
  await db
    .updateTable("billing_customers")
    .set({ email_key: emailKey })
    .where("user_id", "=", userId)
    .execute();
};

/** Deletes customers who started to pay before signing up and never finished. */
const pruneCustomers = async (db: Db, before: number): Promise<void> => {
  await db
    .deleteFrom("billing_customers")
    .where("user_id", "is", null)
    .where("subscription_id", "is", null)
    .where("created_at", "<", before)
    .execute();
};

/** A customer whose payments must be canceled at the provider. */
export interface Cancellation {
  readonly customerId: string;
  /** The number of attempts to reach the provider that have failed. */
  readonly tries: number;
}

/** Deletes the customer of a mailbox whose account is deleted, and schedules the cancellation at the provider. */
export const releaseCustomer = async (db: Db, emailKey: MailboxKey, now: number): Promise<void> => {
  const deleted = await db
    .deleteFrom("billing_customers")
    .where("email_key", "=", emailKey)
    .returning("customer_id")
    .execute();
  for (const { customer_id } of deleted)
    if (customer_id !== null)
      await db
        .insertInto("billing_farewells")
        .values({ customer_id, tries: 0, next_at: now })
        .onConflict((conflict) => conflict.column("customer_id").doNothing())
        .execute();
};

/** Returns the cancellations that are due, the longest overdue first. */
export const listDueCancellations = (db: Db, now: number, limit: number): Promise<readonly Cancellation[]> =>
  db
    .selectFrom("billing_farewells")
    .select(["customer_id as customerId", "tries"])
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .limit(limit)
    .execute();

/** Deletes a cancellation that the provider has confirmed. */
export const deleteCancellation = async (db: Db, customerId: string): Promise<void> => {
  await db.deleteFrom("billing_farewells").where("customer_id", "=", customerId).execute();
};

/** Postpones a cancellation that the provider did not answer. */
export const postponeCancellation = async (
  db: Db,
  { customerId, tries }: Cancellation,
  nextAt: number,
): Promise<void> => {
  await db
    .updateTable("billing_farewells")
    .set({ tries: tries + 1, next_at: nextAt })
    .where("customer_id", "=", customerId)
    .execute();
};

/** Returns whether an event has been processed. */
export const isEventProcessed = async (db: Db, eventId: string): Promise<boolean> =>
  (await db
    .selectFrom("billing_events")
    .select("event_id")
    .where("event_id", "=", eventId)
    .executeTakeFirst()) !== undefined;

/** Records an event in the transaction of its effect; false when it was already recorded. */
export const recordBillingEvent = async (db: Db, eventId: string, now: number): Promise<boolean> => {
  const inserted = await db
    .insertInto("billing_events")
    .values({ event_id: eventId, created_at: now })
    .onConflict((conflict) => conflict.column("event_id").doNothing())
    .returning("event_id")
    .execute();
  return inserted.length === 1;
};

/** Deletes unpaid customers without an account, and events that are too old for the provider to send again. */
export const pruneBilling = async (db: Db, now: number): Promise<void> => {
  await pruneCustomers(db, now - unpaidCustomerLifetimeMs);
  await db
    .deleteFrom("billing_events")
    .where("created_at", "<", now - eventLifetimeMs)
    .execute();
};
