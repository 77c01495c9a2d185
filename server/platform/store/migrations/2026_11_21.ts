import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";

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

/** Makes SQLite use autoincrement, without which it assigns the id of a deleted newest row again. */
const enableAutoIncrement = async (db: Kysely<never>): Promise<void> => {
  await sql`alter table notifications rename to notifications_before`.execute(db);
  await db.schema
    .createTable("notifications")
    .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("priority", "text", (c) => c.notNull())
    .addColumn("message", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("read_at", "bigint")
    .execute();
  await sql`
    insert into notifications (id, user_id, type, priority, message, created_at, read_at)
    select id, user_id, type, priority, message, created_at, read_at from notifications_before
  `.execute(db);
  await db.schema.dropTable("notifications_before").execute();
};

/** Makes notification ids unique forever and adds the index for a user's notifications in order. */
export const notifications = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.dropIndex("notifications_of_user").execute();
    if (engine.name === "sqlite") await enableAutoIncrement(db);
    await db.schema
      .createIndex("notifications_in_order")
      .on("notifications")
      .columns(["user_id", "id"])
      .execute();
  },
});

const createUserTable = (db: Kysely<never>, name: string) =>
  db.schema
    .createTable(name)
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"));

/** Adds what rules produce: statistics, automatic answers, the archive, and the hourly digest. */
export const ruleEffects = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("mask_statistics")
      .addColumn("month", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await db.schema
      .alterTable("mask_statistics")
      .addColumn("month_received", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("mask_statistics")
      .addColumn("details", "text", (c) => c.notNull().defaultTo("{}"))
      .execute();

    await createUserTable(db, "automatic_answers")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("sender_hash", "text", (c) => c.notNull())
      .addColumn("answered_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("answered_once_a_while", ["mask_id", "sender_hash"])
      .execute();
    await db.schema
      .createIndex("automatic_answers_of_user")
      .on("automatic_answers")
      .columns(["user_id", "answered_at"])
      .execute();

    await createUserTable(db, "archived_mails")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("mask_id", "text", (c) => c.notNull())
      .addColumn("content", engine.binaryType, (c) => c.notNull())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("read", "integer", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("archived_mails_of_user")
      .on("archived_mails")
      .columns(["user_id", "created_at"])
      .execute();

    await createUserTable(db, "digest_mails")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("mask_id", "text", (c) => c.notNull())
      .addColumn("recipient", "text", (c) => c.notNull())
      .addColumn("content", engine.binaryType, (c) => c.notNull())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("digest_mails_in_order")
      .on("digest_mails")
      .columns(["user_id", "recipient", "created_at"])
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

/** Adds the earlier versions of a mask's rules, which edits are merged against (D43). */
export const ruleVersions = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("rule_versions")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("version", "text", (c) => c.notNull())
      .addColumn("rules", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("one_list_a_version", ["mask_id", "version"])
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

/** SQLite then stores the rows in key order, so that those of one user are adjacent. */
const clusteredByKey = (engine: Engine) => (engine.name === "sqlite" ? sql`without rowid` : sql``);

/** Adds the counts of insights, the consent to content access, and the marks of suggestions. */
export const insights = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    const createTableOfUser = (name: string) =>
      db.schema
        .createTable(name)
        .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"));
    const counts = (name: string) =>
      createTableOfUser(name)
        .addColumn("kind", "text", (c) => c.notNull())
        .addColumn("period", "text", (c) => c.notNull())
        .addColumn("key", "text", (c) => c.notNull())
        .addColumn("n", "bigint", (c) => c.notNull())
        .addColumn("last_at", "bigint", (c) => c.notNull())
        .modifyEnd(clusteredByKey(engine));

    await counts("account_counts")
      .addPrimaryKeyConstraint("one_count_of_an_account", ["user_id", "kind", "period", "key"])
      .execute();
    await counts("mask_counts")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("one_count_of_a_mask", ["user_id", "kind", "mask_id", "period", "key"])
      .execute();
    await db.schema.createIndex("counts_of_mask").on("mask_counts").column("mask_id").execute();

    await createTableOfUser("recent_mails")
      .addColumn("id", engine.autoIncrementType, (c) => c.primaryKey())
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("sender_domain", "text", (c) => c.notNull())
      .addColumn("category", "text")
      .addColumn("outcome", "text", (c) => c.notNull())
      .addColumn("threat_level", "text")
      .addColumn("reason", "text")
      .execute();
    await db.schema
      .createIndex("recent_mails_of_user")
      .on("recent_mails")
      .columns(["user_id", "outcome", "id"])
      .execute();
    await db.schema.createIndex("recent_mails_of_mask").on("recent_mails").column("mask_id").execute();

    await createTableOfUser("content_access")
      .addColumn("enabled", "integer", (c) => c.notNull())
      .addColumn("external_model", "text")
      .addColumn("features", "text", (c) => c.notNull())
      .addColumn("updated_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("one_consent_of_a_user", ["user_id"])
      .execute();

    await createTableOfUser("suggestion_marks")
      .addColumn("action_key", "text", (c) => c.notNull())
      .addColumn("status", "integer", (c) => c.notNull())
      .addColumn("suggestion", "text", (c) => c.notNull())
      .addColumn("marked_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("one_mark_of_a_suggestion", ["user_id", "action_key"])
      .execute();

    await db.schema
      .alterTable("monthly_usage")
      .addColumn("own_mails", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});
