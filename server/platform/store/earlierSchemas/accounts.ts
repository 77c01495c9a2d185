import { type Kysely, sql } from "kysely";

/** Stores the responses to requests with an X-Request-ID, so that each request is executed once (D43). */
export const idempotentAnswers = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("idempotent_answers")
      .addColumn("session_id", "text", (c) => c.notNull())
      .addColumn("request_id", "text", (c) => c.notNull())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("fingerprint", "text", (c) => c.notNull())
      .addColumn("status", "integer", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("answered_once", ["session_id", "request_id"])
      .execute();
    await db.schema.createIndex("answers_by_age").on("idempotent_answers").column("created_at").execute();
    await db.schema.createIndex("answers_of_user").on("idempotent_answers").column("user_id").execute();
  },
});

/** Finds the oldest recorded answers of a session without reading all of them. */
export const answerOrder = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createIndex("answers_by_time")
      .on("idempotent_answers")
      .columns(["session_id", "created_at"])
      .execute();
  },
});

/** Adds the public key that each user's mail is encrypted to. */
export const encryptionKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("public_keys")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("fingerprint", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
  },
});

/** Adds whether the Web Key Directory serves a user's key. */
export const publishedKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("public_keys")
      .addColumn("published", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  },
});

/** Adds the rotation of a session's secret at each refresh. */
export const sessionRotation = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("sessions").addColumn("previous_hash", "text").execute();
    await db.schema.alterTable("sessions").addColumn("rotated_at", "bigint").execute();
    await db.schema
      .alterTable("sessions")
      .addColumn("secret_seen", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  },
});

/** Adds authenticators, recovery codes and second-factor tickets; deletes responses that were stored unencrypted. */
export const twoFactor = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("two_factors")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("secret", "text", (c) => c.notNull())
      .addColumn("verified_at", "bigint")
      .addColumn("last_step", "bigint", (c) => c.notNull())
      .addColumn("tries", "integer", (c) => c.notNull())
      .addColumn("tries_from", "bigint", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("recovery_codes")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("recovery_code_once", ["user_id", "code_hash"])
      .execute();

    await db.schema
      .createTable("second_factor_tickets")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addColumn("tries", "integer", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("second_factor_tickets_of_user")
      .on("second_factor_tickets")
      .column("user_id")
      .execute();

    await sql`delete from idempotent_answers`.execute(db);
  },
});

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

/** Adds the operator's decisions about an account, and invitations. */
export const operators = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("users").addColumn("assigned_tier", "text").execute();
    await db.schema
      .alterTable("users")
      .addColumn("suspended", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("users")
      .addColumn("is_operator", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable("invitations")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
  },
});

/** Adds the passwords of mail programs. */
export const appPasswords = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("app_passwords")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("lookup", "text", (c) => c.notNull().unique())
      .addColumn("hash", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_used_at", "bigint")
      .execute();
    await db.schema.createIndex("app_passwords_of_user").on("app_passwords").column("user_id").execute();
  },
});

/** Counts wrong codes and code mails by account, browser and network, for all processes and across restarts. */
export const codeCounts = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("code_counts")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("since", "bigint", (column) => column.notNull())
      .addColumn("next_at", "bigint", (column) => column.notNull())
      .execute();
  },
});

/** Adds whether and when a user was mailed about newly held mail. */
export const heldNotices = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("held_notices", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema.alterTable("users").addColumn("held_noticed_at", "bigint").execute();
  },
});

/** Adds what the addresses of new masks are made of. */
export const maskFormat = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("users").addColumn("mask_format", "text").execute();
  },
});
