import type { Kysely } from "kysely";

/** Earlier lists of a mask's rules, which what is saved from them is merged against (D43). */
export const rules = () => ({
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
