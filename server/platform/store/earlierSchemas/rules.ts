import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

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

/** Adds the rules for all masks of a user, with their earlier versions and how often they were applied. */
export const accountRules = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("account_rules")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("before_rules", "text", (c) => c.notNull())
      .addColumn("after_rules", "text", (c) => c.notNull())
      .execute();
    await db.schema
      .createTable("account_rule_versions")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("place", "text", (c) => c.notNull())
      .addColumn("version", "text", (c) => c.notNull())
      .addColumn("rules", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("one_account_list_a_version", ["user_id", "place", "version"])
      .execute();
    await db.schema
      .createTable("account_rule_counts")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("rule_id", "text", (c) => c.notNull())
      .addColumn("applied", "bigint", (c) => c.notNull())
      .addColumn("last_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("count_of_account_rule", ["user_id", "rule_id"])
      .execute();
  },
});
