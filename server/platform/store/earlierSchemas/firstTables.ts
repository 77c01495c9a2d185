import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";

/** Creates the first tables of `tables.ts`. */
export const start = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("users")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("email_key", "text", (c) => c.notNull().unique())
      .addColumn("tier", "text", (c) => c.notNull())
      .addColumn("key_status", "text", (c) => c.notNull())
      .addColumn("two_factor", "integer", (c) => c.notNull())
      .addColumn("mask_count", "integer", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("login_codes")
      .addColumn("email_key", "text", (c) => c.primaryKey())
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addColumn("tries", "integer", (c) => c.notNull())
      .addColumn("used", "integer", (c) => c.notNull())
      .addColumn("sent_at", "text", (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("sign_up_tickets")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("sessions")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("secret_hash", "text", (c) => c.notNull())
      .addColumn("user_agent", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_used_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("sessions_of_user").on("sessions").column("user_id").execute();

    await db.schema
      .createTable("destinations")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("email_key", "text", (c) => c.notNull())
      .addColumn("confirmed_at", "bigint")
      .addColumn("token_hash", "text", (c) => c.unique())
      .addColumn("token_expires_at", "bigint")
      .addColumn("asked_at", "bigint")
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addUniqueConstraint("destination_once_a_user", ["user_id", "email_key"])
      .execute();

    await db.schema
      .createTable("masks")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("destination_id", "text", (c) => c.notNull().references("destinations.id"))
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("description", "text", (c) => c.notNull())
      .addColumn("active", "integer", (c) => c.notNull())
      .addColumn("custom_prefix", "text")
      .addColumn("spam_filter", "integer", (c) => c.notNull())
      .addColumn("rules", "text", (c) => c.notNull())
      .addColumn("metadata", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("updated_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("masks_of_user").on("masks").columns(["user_id", "created_at"]).execute();

    await db.schema
      .createTable("mask_addresses")
      .addColumn("email_key", "text", (c) => c.primaryKey())
      .addColumn("mask_id", "text", (c) => c.references("masks.id").onDelete("set null"))
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("addresses_of_mask").on("mask_addresses").column("mask_id").execute();

    await db.schema
      .createTable("mask_statistics")
      .addColumn("mask_id", "text", (c) => c.primaryKey().references("masks.id").onDelete("cascade"))
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("total_received", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("total_forwarded", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("spam_blocked", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("total_sent", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("last_used_at", "bigint")
      .execute();

    await db.schema
      .createTable("monthly_usage")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("month", "text", (c) => c.notNull())
      .addColumn("received", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("forwarded", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("blocked", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("announced", "integer", (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint("usage_of_month", ["user_id", "month"])
      .execute();

    await db.schema
      .createTable("queue")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
      .addColumn("mask_id", "text")
      .addColumn("envelope_sender", "text", (c) => c.notNull())
      .addColumn("recipient", "text", (c) => c.notNull())
      .addColumn("content", engine.binaryType)
      .addColumn("size", "integer", (c) => c.notNull())
      .addColumn("status", "text", (c) => c.notNull())
      .addColumn("attempts", "integer", (c) => c.notNull())
      .addColumn("next_attempt_at", "bigint", (c) => c.notNull())
      .addColumn("lease", "text")
      .addColumn("leased_until", "bigint", (c) => c.notNull())
      .addColumn("last_answer", "text")
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("finished_at", "bigint")
      .execute();
    await sql`create index queue_due on queue (next_attempt_at) where status = 'waiting'`.execute(db);
    await db.schema.createIndex("queue_of_user").on("queue").column("user_id").execute();

    await db.schema
      .createTable("notifications")
      .addColumn("id", engine.autoIncrementType as never, (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("type", "text", (c) => c.notNull())
      .addColumn("priority", "text", (c) => c.notNull())
      .addColumn("message", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("read_at", "bigint")
      .execute();
    await db.schema.createIndex("notifications_of_user").on("notifications").column("user_id").execute();

    await db.schema
      .createTable("events")
      .addColumn("id", engine.autoIncrementType as never, (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull())
      .addColumn("resource", "text", (c) => c.notNull())
      .addColumn("resource_id", "text")
      .addColumn("action", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
  },
});
