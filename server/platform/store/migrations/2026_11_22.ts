import type { Kysely } from "kysely";

/** Adds the requested changes of address. */
export const addressChange = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("address_changes")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("email_key", "text", (c) => c.notNull())
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addColumn("tries", "integer", (c) => c.notNull())
      .addColumn("sent_at", "text", (c) => c.notNull())
      .execute();
  },
});

/** Adds payments and the data for a change of plan. */
export const billing = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("subscription_status", "text", (c) => c.notNull().defaultTo("active"))
      .execute();
    await db.schema
      .alterTable("users")
      .addColumn("pays", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("users").addColumn("plan_ends_at", "bigint").execute();
    await db.schema
      .alterTable("users")
      .addColumn("plan_changed_at", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("paused", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("archived_mails").addColumn("keep_until", "bigint").execute();

    await db.schema
      .createTable("billing_customers")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("email_key", "text", (c) => c.notNull().unique())
      .addColumn("user_id", "text", (c) => c.unique().references("users.id").onDelete("set null"))
      .addColumn("customer_id", "text", (c) => c.unique())
      .addColumn("subscription_id", "text")
      .addColumn("tier", "text")
      .addColumn("status", "text", (c) => c.notNull())
      .addColumn("ends_at", "bigint")
      .addColumn("asked", "bigint", (c) => c.notNull())
      .addColumn("known", "bigint", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("billing_events")
      .addColumn("event_id", "text", (c) => c.primaryKey())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("billing_farewells")
      .addColumn("customer_id", "text", (c) => c.primaryKey())
      .addColumn("tries", "integer", (c) => c.notNull())
      .addColumn("next_at", "bigint", (c) => c.notNull())
      .execute();
  },
});
