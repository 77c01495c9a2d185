import type { Kysely } from "kysely";

/** Finds the oldest recorded answers of a session without reading all of them. */
export const answerOrder = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createIndex("answers_by_time")
      .on("idempotent_answers")
      .columns(["session_id", "created_at"])
      .execute();
  },
});
