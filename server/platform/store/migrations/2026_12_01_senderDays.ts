import type { Kysely } from "kysely";

/** Adds what each sender has sent to an account on a day. */
export const senderDays = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("sender_days")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("day", "text", (c) => c.notNull())
      .addColumn("source", "text", (c) => c.notNull())
      .addColumn("received", "bigint", (c) => c.notNull())
      .addColumn("most", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("sender_days_pk", ["user_id", "day", "source"])
      .execute();
  },
});
