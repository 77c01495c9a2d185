import { sql } from "kysely";
import type { Db } from "../../platform/store/database.ts";

/**
 * The rows of senders that figures keep of an account, and as many of its masks: a domain on a day or in a month. Mail can
 * name any number of domains.
 */
export const maxSenderCounts = 20_000;

/** Deletes the senders of each account that have written least recently, beyond `kept` rows. */
export const pruneSenderCounts = async (db: Db, kept: number): Promise<void> => {
  for (const table of ["account_counts", "mask_counts"] as const) {
    const users = await db
      .selectFrom(table)
      .where("kind", "=", "sender")
      .groupBy("user_id")
      .having(({ eb, fn }) => eb(fn.countAll(), ">", kept))
      .select("user_id as id")
      .execute();
    for (const { id } of users)
      await sql`delete from ${sql.table(table)} where user_id = ${id} and kind = 'sender' and last_at <= (
        select last_at from ${sql.table(table)} where user_id = ${id} and kind = 'sender'
        order by last_at desc limit 1 offset ${kept})`.execute(db);
  }
};
