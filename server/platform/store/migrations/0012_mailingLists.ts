import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The mailing lists that write to masks, with what each asks for to be left, encrypted. */
export const mailingLists: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table mailing_lists (
      mask_id text not null references masks (id) on delete cascade,
      id text not null,
      user_id text not null references users (id) on delete cascade,
      sealed text not null,
      seen_at bigint not null,
      left_at bigint,
      primary key (mask_id, id)
    )`.execute(db);
    await sql`create index mailing_lists_of_user on mailing_lists (user_id)`.execute(db);
  },
};
