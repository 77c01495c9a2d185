import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Passkeys, what the server asks authenticators to sign, and which sessions were made with which passkey. */
export const passkeys: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table passkeys (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      credential_id text not null unique,
      public_key text not null,
      counter bigint not null,
      verifies integer not null,
      transports text not null,
      name text not null,
      synced integer not null,
      backed_up integer not null,
      aaguid text not null,
      created_at bigint not null,
      last_used_at bigint
    )`.execute(db);
    await sql`create index passkeys_of_user on passkeys (user_id)`.execute(db);
    await sql`create table passkey_challenges (
      hash text primary key,
      user_id text references users (id) on delete cascade,
      network text not null,
      expires_at bigint not null
    )`.execute(db);
    await sql`create index passkey_challenges_of_user on passkey_challenges (user_id)`.execute(db);
    await sql`create index passkey_challenges_of_network on passkey_challenges (network)`.execute(db);
    await sql`create index passkey_challenges_by_end on passkey_challenges (expires_at)`.execute(db);
    await sql`alter table sessions add column passkey_id text`.execute(db);
    await sql`create index sessions_of_passkey on sessions (passkey_id) where passkey_id is not null`.execute(
      db,
    );
    await sql`alter table second_factor_tickets add column passkey_id text`.execute(db);
    await sql`alter table second_factor_tickets add column recovery_only integer not null default 0`.execute(
      db,
    );
    await sql`alter table users add column passkey_handle text`.execute(db);
    await sql`create unique index users_by_passkey_handle on users (passkey_handle)`.execute(db);
    await sql`alter table users add column passkeys_only integer not null default 0`.execute(db);
    await sql`alter table users add column passkey_offer text`.execute(db);
  },
};
