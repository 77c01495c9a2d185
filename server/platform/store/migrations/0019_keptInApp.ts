import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether the mail of a mask stays in the app, and when an archived mail is deleted for that. */
export const keptInApp: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("kept_in_app", "text", (c) => c.notNull().defaultTo("no"))
      .execute();
    await db.schema.alterTable("archived_mails").addColumn("expires_at", "bigint").execute();
    await db.schema
      .createIndex("archived_mails_by_expiry")
      .on("archived_mails")
      .column("expires_at")
      .execute();
  },
};
