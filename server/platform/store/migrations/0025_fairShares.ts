import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What works once is kept when it is used: challenges of passkeys, in place of when they are asked for. Users take turns with
 * messages to their webhooks, so that these are found by user. The numbers that programs know things by are counted by user.
 */
export const fairShares: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table used_marks (hash text primary key, expires_at bigint not null)`.execute(db);
    await sql`create index used_marks_by_end on used_marks (expires_at)`.execute(db);
    await sql`drop table passkey_challenges`.execute(db);
    await sql`create index webhook_messages_turns on webhook_messages (user_id, webhook_id, next_attempt_at)
      where state = 'waiting'`.execute(db);
    await sql`drop index webhook_messages_due`.execute(db);
    await sql`alter table public_numbers rename to numbers_of_all`.execute(db);
    await sql`create table public_numbers (
      user_id text not null references users (id) on delete cascade,
      number bigint not null,
      kind text not null,
      entity_id text not null,
      primary key (user_id, number),
      unique (user_id, kind, entity_id)
    )`.execute(db);
    await sql`insert into public_numbers (user_id, number, kind, entity_id)
      select user_id, number, kind, entity_id from numbers_of_all`.execute(db);
    await sql`drop table numbers_of_all`.execute(db);
  },
};
