import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Adds what finds the messages that are due without looking at those that wait for a later time. */
export const dueMessages: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create index push_messages_due on push_messages (next_attempt_at)`.execute(db);
    await sql`create index webhook_messages_due on webhook_messages (next_attempt_at)
      where state = 'waiting'`.execute(db);
  },
};
