import { sql } from "kysely";

/** The tables of what signs in to accounts, and of sessions. */
export const signInTables = [
  sql`create table login_codes (
    email_key text primary key,
    code_hash text not null,
    expires_at bigint not null,
    tries integer not null,
    used integer not null,
    sent_at text not null
  )`,
  sql`create table code_counts (
    key text primary key,
    kind text not null,
    count integer not null,
    since bigint not null,
    next_at bigint not null
  )`,
  sql`create table sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    secret_hash text not null,
    user_agent text not null,
    created_at bigint not null,
    last_used_at bigint not null,
    expires_at bigint not null,
    previous_hash text,
    rotated_at bigint,
    secret_seen integer not null default 1,
    way text not null default 'code',
    passkey_id text,
    proven_at bigint
  )`,
  sql`create index sessions_of_user on sessions (user_id)`,
  sql`create index sessions_of_passkey on sessions (passkey_id) where passkey_id is not null`,
  sql`create table two_factors (
    user_id text primary key references users (id) on delete cascade,
    secret text not null,
    verified_at bigint,
    last_step bigint not null,
    tries integer not null,
    tries_from bigint not null,
    created_at bigint not null
  )`,
  sql`create table recovery_codes (
    user_id text not null references users (id) on delete cascade,
    code_hash text not null,
    constraint recovery_code_once primary key (user_id, code_hash)
  )`,
  sql`create table second_factor_tickets (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at bigint not null,
    tries integer not null,
    way text not null default 'code',
    passkey_id text,
    recovery_only integer not null default 0
  )`,
  sql`create index second_factor_tickets_of_user on second_factor_tickets (user_id)`,
  sql`create table passkeys (
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
  )`,
  sql`create index passkeys_of_user on passkeys (user_id)`,
  sql`create table used_marks (
    hash text primary key,
    expires_at bigint not null
  )`,
  sql`create index used_marks_by_end on used_marks (expires_at)`,
  sql`create table identities (
    id text primary key,
    issuer text not null,
    subject text not null,
    user_id text not null references users (id) on delete cascade,
    email text not null,
    created_at bigint not null,
    last_used_at bigint not null,
    constraint identity_once unique (issuer, subject)
  )`,
  sql`create index identities_of_user on identities (user_id)`,
  sql`create table identity_sessions (
    session_id text primary key references sessions (id) on delete cascade,
    issuer text not null,
    subject text not null,
    sid text
  )`,
  sql`create index identity_sessions_by_subject on identity_sessions (issuer, subject)`,
  sql`create index identity_sessions_by_sid on identity_sessions (issuer, sid) where sid is not null`,
  sql`create table sign_on_tickets (
    token_hash text primary key,
    issuer text not null,
    subject text not null,
    sid text,
    email text,
    is_multi_factor integer not null,
    is_admitted integer not null,
    expires_at bigint not null
  )`,
  sql`create table used_logout_tokens (
    token_hash text primary key,
    expires_at bigint not null
  )`,
  sql`create table app_passwords (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    lookup text not null unique,
    hash text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  sql`create index app_passwords_of_user on app_passwords (user_id)`,
  sql`create table idempotent_answers (
    session_id text not null,
    request_id text not null,
    user_id text not null references users (id) on delete cascade,
    fingerprint text not null,
    status integer not null,
    body text not null,
    created_at bigint not null,
    constraint answered_once primary key (session_id, request_id)
  )`,
  sql`create index answers_by_age on idempotent_answers (created_at)`,
  sql`create index answers_of_user on idempotent_answers (user_id)`,
  sql`create index answers_by_time on idempotent_answers (session_id, created_at)`,
];
