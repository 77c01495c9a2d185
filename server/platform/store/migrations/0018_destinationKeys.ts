import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Several keys a destination, those offered for one, and when each key in use ends. */
export const destinationKeys: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table destination_keys (
      destination_id text not null references destinations (id) on delete cascade,
      fingerprint text not null,
      user_id text not null references users (id) on delete cascade,
      public_key text not null,
      created_at bigint not null,
      expires_at bigint default 0,
      end_noticed integer,
      constraint key_of_destination primary key (destination_id, fingerprint)
    )`.execute(db);
    await sql`create index destination_keys_of_user on destination_keys (user_id)`.execute(db);
    await sql`
      insert into destination_keys (destination_id, fingerprint, user_id, public_key, created_at)
      select id, coalesce(fingerprint, ''), user_id, public_key, created_at
      from destinations where public_key is not null`.execute(db);
    await sql`alter table destinations drop column public_key`.execute(db);
    await sql`alter table destinations drop column fingerprint`.execute(db);
    await sql`alter table public_keys add column expires_at bigint default 0`.execute(db);
    await sql`alter table public_keys add column end_noticed integer`.execute(db);
    for (const table of ["destination_keys", "public_keys"])
      await sql`create index ${sql.raw(`${table}_by_end`)} on ${sql.raw(table)} (expires_at)`.execute(db);
    await sql`create table offered_keys (
      destination_id text primary key references destinations (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      fingerprint text not null,
      key text not null,
      offered_at bigint not null
    )`.execute(db);
    await sql`create index offered_keys_of_user on offered_keys (user_id)`.execute(db);
  },
};
