import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Identities of users at a provider (OIDC), and what their sign-ins and logouts need. */
export const identities: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table identities (
      id text primary key,
      issuer text not null,
      subject text not null,
      user_id text not null references users (id) on delete cascade,
      email text not null,
      created_at bigint not null,
      last_used_at bigint not null,
      constraint identity_once unique (issuer, subject)
    )`.execute(db);
    await sql`create index identities_of_user on identities (user_id)`.execute(db);
    await sql`create table identity_sessions (
      session_id text primary key references sessions (id) on delete cascade,
      issuer text not null,
      subject text not null,
      sid text
    )`.execute(db);
    await sql`create index identity_sessions_by_subject on identity_sessions (issuer, subject)`.execute(db);
    await sql`create index identity_sessions_by_sid on identity_sessions (issuer, sid) where sid is not null`.execute(
      db,
    );
    await sql`create table sign_on_tickets (
      token_hash text primary key,
      issuer text not null,
      subject text not null,
      sid text,
      email text,
      is_multi_factor integer not null,
      is_admitted integer not null,
      expires_at bigint not null
    )`.execute(db);
    await sql`create table used_logout_tokens (
      token_hash text primary key,
      expires_at bigint not null
    )`.execute(db);
  },
};
