import type { Kysely } from "kysely";

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
