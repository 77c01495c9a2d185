import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";

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

/** Adds the mails that the figures do not count yet. */
export const newMails = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("new_mails")
      .addColumn("id", engine.autoIncrementType, (c) => c.primaryKey())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("facts", "text", (c) => c.notNull())
      .execute();
  },
});

/** Indexes the day's counts of all users, and the mails that could not be delivered. */
export const operatorFigures = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create index counts_of_day on account_counts (period) where kind = 'day'`.execute(db);
    await sql`create index failed_mails on queue (finished_at) where status = 'failed'`.execute(db);
  },
});

/** Adds the log of mail: what is kept for whom, its entries, what happened to them, and which copies belong to one. */
export const mailLog = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("mail_log", "text", (c) => c.notNull().defaultTo("off"))
      .execute();
    await db.schema
      .createTable("log_entries")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("mask_id", "text", (c) => c.notNull())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("result", "text", (c) => c.notNull())
      .addColumn("detail", "text")
      .addColumn("sealed", "integer", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("log_of_user").on("log_entries").columns(["user_id", "id"]).execute();
    await db.schema.createIndex("log_of_mask").on("log_entries").columns(["mask_id", "id"]).execute();
    await db.schema
      .createTable("log_steps")
      .addColumn("entry_id", "text", (c) => c.notNull().references("log_entries.id").onDelete("cascade"))
      .addColumn("copy_id", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("times", "integer", (c) => c.notNull())
      .addColumn("detail", "text")
      .addColumn("sealed", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("step_of_entry", ["entry_id", "copy_id", "state"])
      .execute();
    await db.schema.alterTable("queue").addColumn("log_id", "text").execute();
    await sql`create index logged_copies on queue (log_id) where log_id is not null`.execute(db);
  },
});

/** Adds to the log whether a mail was received or sent. */
export const sentMail = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("log_entries")
      .addColumn("direction", "text", (c) => c.notNull().defaultTo("received"))
      .execute();
  },
});

/** Adds the last mails of masks, which are kept for a day to test rules with, and whose user wants that. */
export const lastMails = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("keep_last_mails", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable("last_mails")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("received_at", "bigint", (c) => c.notNull())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("content", engine.binaryType, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("last_mails_of_user")
      .on("last_mails")
      .columns(["user_id", "received_at"])
      .execute();
    await db.schema
      .createIndex("last_mails_of_mask")
      .on("last_mails")
      .columns(["mask_id", "received_at"])
      .execute();
  },
});
