import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";

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
