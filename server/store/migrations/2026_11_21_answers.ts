import type { Kysely } from "kysely";

/** What named requests were answered, so that each is carried out once (D43). */
export const answers = () => ({
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
