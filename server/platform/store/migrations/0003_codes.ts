import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Adds the codes in mail, who wants to see them, and which API token created a mask. */
export const codes: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    for (const statement of [
      sql`alter table users add column show_codes integer not null default 0`,
      sql`alter table masks add column show_codes integer not null default 0`,
      sql`alter table masks add column made_by_token text`,
      sql`create table mail_codes (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        mask_id text not null references masks (id) on delete cascade,
        received_at bigint not null,
        expires_at bigint not null,
        content text not null,
        to_key integer not null
      )`,
      sql`create index mail_codes_of_user on mail_codes (user_id, received_at)`,
      sql`create index mail_codes_of_mask on mail_codes (mask_id, received_at)`,
      sql`create index mail_codes_by_end on mail_codes (expires_at)`,
    ])
      await statement.execute(db);
  },
};
