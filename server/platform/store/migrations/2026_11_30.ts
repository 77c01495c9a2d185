import type { Kysely } from "kysely";

/** Adds the labels (JSON), the note and the pin of a mask. */
export const maskOrder = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("labels", "text", (c) => c.notNull().defaultTo("[]"))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("note", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("pinned", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});
