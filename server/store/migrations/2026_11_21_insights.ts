import { type Kysely, sql } from "kysely";
import type { Engine } from "../dialect.ts";

/** SQLite keeps the rows in the order of the key, so that those of one user lie together. */
const keyed = (engine: Engine) => (engine.name === "sqlite" ? sql`without rowid` : sql``);

/** What insights count, what a user allows to be looked at for them, and what became of suggestions. */
export const insights = (engine: Engine) => ({
  up: async (db: Kysely<never>): Promise<void> => {
    const owned = (name: string) =>
      db.schema
        .createTable(name)
        .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"));
    const counts = (name: string) =>
      owned(name)
        .addColumn("kind", "text", (c) => c.notNull())
        .addColumn("period", "text", (c) => c.notNull())
        .addColumn("key", "text", (c) => c.notNull())
        .addColumn("n", "bigint", (c) => c.notNull())
        .addColumn("last_at", "bigint", (c) => c.notNull())
        .modifyEnd(keyed(engine));

    await counts("account_counts")
      .addPrimaryKeyConstraint("one_count_of_an_account", ["user_id", "kind", "period", "key"])
      .execute();
    await counts("mask_counts")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("one_count_of_a_mask", ["user_id", "kind", "mask_id", "period", "key"])
      .execute();
    await db.schema.createIndex("counts_of_mask").on("mask_counts").column("mask_id").execute();

    await owned("recent_mails")
      .addColumn("id", engine.increasing, (c) => c.primaryKey())
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

    await owned("content_access")
      .addColumn("enabled", "integer", (c) => c.notNull())
      .addColumn("external_model", "text")
      .addColumn("features", "text", (c) => c.notNull())
      .addColumn("updated_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("one_consent_of_a_user", ["user_id"])
      .execute();

    await owned("suggestion_marks")
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
