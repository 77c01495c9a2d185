import type { Db } from "./database.ts";

/** A customer who must not pay any more. */
export interface Farewell {
  readonly customerId: string;
  /** How often the provider was told in vain. */
  readonly tries: number;
}

/** Ends the payments of a mailbox whose account goes: its customer is forgotten here, and the provider is to be told. */
export const releaseCustomer = async (db: Db, emailKey: string, now: number): Promise<void> => {
  const gone = await db
    .deleteFrom("billing_customers")
    .where("email_key", "=", emailKey)
    .returning("customer_id")
    .execute();
  for (const { customer_id } of gone)
    if (customer_id !== null)
      await db
        .insertInto("billing_farewells")
        .values({ customer_id, tries: 0, next_at: now })
        .onConflict((conflict) => conflict.column("customer_id").doNothing())
        .execute();
};

/** Those the provider is to be told of now, the longest overdue first. */
export const dueFarewells = (db: Db, now: number, limit: number): Promise<readonly Farewell[]> =>
  db
    .selectFrom("billing_farewells")
    .select(["customer_id as customerId", "tries"])
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .limit(limit)
    .execute();

/** The provider knows. */
export const endFarewell = async (db: Db, customerId: string): Promise<void> => {
  await db.deleteFrom("billing_farewells").where("customer_id", "=", customerId).execute();
};

/** The provider did not answer and is told again later. */
export const putOffFarewell = async (
  db: Db,
  { customerId, tries }: Farewell,
  nextAt: number,
): Promise<void> => {
  await db
    .updateTable("billing_farewells")
    .set({ tries: tries + 1, next_at: nextAt })
    .where("customer_id", "=", customerId)
    .execute();
};
