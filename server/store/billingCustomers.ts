import type { Selectable } from "kysely";
import type { BillingCustomersTable } from "./billingTables.ts";
import type { Db } from "./database.ts";

export type BillingCustomerRow = Selectable<BillingCustomersTable>;

/** What the provider says of a customer. */
export interface PaidPlan {
  readonly subscriptionId: string | null;
  readonly tier: string | null;
  readonly status: string;
  readonly endsAt: number | null;
}

/** A mailbox that pays, or is about to. */
export interface Payer {
  readonly emailKey: string;
  /** null before the account is made. */
  readonly userId: string | null;
}

/** The customer of a mailbox, made when there is none; its user is noted once there is one. */
export const ensureCustomer = async (
  db: Db,
  { emailKey, userId }: Payer,
  fresh: { readonly id: string; readonly now: number },
): Promise<BillingCustomerRow> => {
  const values = {
    id: fresh.id,
    email_key: emailKey,
    user_id: userId,
    customer_id: null,
    subscription_id: null,
    tier: null,
    status: "none",
    ends_at: null,
    asked: 0,
    known: 0,
    created_at: fresh.now,
  };
  return db
    .insertInto("billing_customers")
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column("email_key")
        .doUpdateSet((eb) => ({ user_id: eb.fn.coalesce("billing_customers.user_id", eb.val(userId)) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Notes the provider's name for a customer; false when the customer is gone, or has got another name meanwhile. */
export const nameCustomer = async (db: Db, id: string, customerId: string): Promise<boolean> => {
  const named = await db
    .updateTable("billing_customers")
    .set({ customer_id: customerId })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("customer_id", "is", null), eb("customer_id", "=", customerId)]))
    .returning("id")
    .execute();
  return named.length === 1;
};

export const customerOfMailbox = (db: Db, emailKey: string): Promise<BillingCustomerRow | undefined> =>
  db.selectFrom("billing_customers").selectAll().where("email_key", "=", emailKey).executeTakeFirst();

export const customerNamed = (db: Db, customerId: string): Promise<BillingCustomerRow | undefined> =>
  db.selectFrom("billing_customers").selectAll().where("customer_id", "=", customerId).executeTakeFirst();

/** Numbers an asking of the provider; undefined when nobody here has that customer. */
export const numberAsking = async (db: Db, customerId: string): Promise<number | undefined> => {
  const row = await db
    .updateTable("billing_customers")
    .set((eb) => ({ asked: eb("asked", "+", 1) }))
    .where("customer_id", "=", customerId)
    .returning("asked")
    .executeTakeFirst();
  return row?.asked;
};

/**
 * Writes what asking `number` has brought for the customer as it was read in `before`: "older" when a later asking has
 * been written already, "changed" when the customer has got a user, or has gone, since it was read.
 */
export const writePaidPlan = async (
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
  const now = await db
    .selectFrom("billing_customers")
    .select(["user_id", "known"])
    .where("id", "=", before.id)
    .executeTakeFirst();
  return now && now.user_id === before.user_id ? "older" : "changed";
};

/** The provider has no such customer any more: the next payment makes another under a new id. */
export const renewCustomer = async (db: Db, id: string, newId: string): Promise<void> => {
  await db
    .updateTable("billing_customers")
    .set({ id: newId, customer_id: null, subscription_id: null, tier: null, status: "none", ends_at: null })
    .where("id", "=", id)
    .execute();
};

/** Gives a mailbox's customer its user; undefined when the mailbox has none. */
export const giveUser = (db: Db, emailKey: string, userId: string): Promise<BillingCustomerRow | undefined> =>
  db
    .updateTable("billing_customers")
    .set({ user_id: userId })
    .where("email_key", "=", emailKey)
    .returningAll()
    .executeTakeFirst();

/** A user's customer goes on under another mailbox, which must have none. */
export const moveCustomer = async (db: Db, userId: string, emailKey: string): Promise<void> => {
  await db
    .updateTable("billing_customers")
    .set({ email_key: emailKey })
    .where("user_id", "=", userId)
    .execute();
};

/** Forgets who began to pay before signing up and never did. */
export const pruneCustomers = async (db: Db, before: number): Promise<void> => {
  await db
    .deleteFrom("billing_customers")
    .where("user_id", "is", null)
    .where("subscription_id", "is", null)
    .where("created_at", "<", before)
    .execute();
};
