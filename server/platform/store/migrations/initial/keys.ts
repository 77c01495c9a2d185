import { sql } from "kysely";

/** The tables of keys that mail is encrypted to. */
export const keyTables = [
  sql`create table public_keys (
    user_id text primary key references users (id) on delete cascade,
    public_key text not null,
    fingerprint text not null,
    created_at bigint not null,
    published integer not null default 1,
    expires_at bigint default 0,
    end_noticed integer
  )`,
  sql`create index public_keys_by_end on public_keys (expires_at)`,
  sql`create table destination_keys (
    destination_id text not null references destinations (id) on delete cascade,
    fingerprint text not null,
    user_id text not null references users (id) on delete cascade,
    public_key text not null,
    created_at bigint not null,
    expires_at bigint default 0,
    end_noticed integer,
    constraint key_of_destination primary key (destination_id, fingerprint)
  )`,
  sql`create index destination_keys_of_user on destination_keys (user_id)`,
  sql`create index destination_keys_by_end on destination_keys (expires_at)`,
  sql`create table offered_keys (
    destination_id text primary key references destinations (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    fingerprint text not null,
    key text not null,
    offered_at bigint not null
  )`,
  sql`create index offered_keys_of_user on offered_keys (user_id)`,
  sql`create table key_backups (
    passkey_id text primary key references passkeys (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    fingerprint text not null,
    backup text not null,
    created_at bigint not null
  )`,
  sql`create index key_backups_of_user on key_backups (user_id)`,
];
