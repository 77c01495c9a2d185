import { sql } from "kysely";

/** The tables of accounts, and of what signs in to them. */
export const accountTables = [
  sql`create table users (
    id text primary key,
    email text not null,
    email_key text not null unique,
    tier text not null,
    key_status text not null,
    two_factor integer not null,
    mask_count integer not null,
    created_at bigint not null,
    subscription_status text not null default 'active',
    pays integer not null default 0,
    plan_ends_at bigint,
    plan_changed_at bigint not null default 0,
    assigned_tier text,
    suspended integer not null default 0,
    is_operator integer not null default 0,
    replies_paused_until bigint,
    sender_shown text not null default 'full',
    held_notices integer not null default 1,
    held_noticed_at bigint,
    mask_format text,
    mail_log text not null default 'off',
    keep_last_mails integer not null default 0
  )`,
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
  sql`create table address_changes (
    user_id text primary key references users (id) on delete cascade,
    email text not null,
    email_key text not null,
    code_hash text not null,
    expires_at bigint not null,
    tries integer not null,
    sent_at text not null
  )`,
  sql`create table sign_up_tickets (
    token_hash text primary key,
    email text not null,
    expires_at bigint not null
  )`,
  sql`create table invitations (
    token_hash text primary key,
    created_at bigint not null,
    expires_at bigint not null
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
    secret_seen integer not null default 1
  )`,
  sql`create index sessions_of_user on sessions (user_id)`,
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
    tries integer not null
  )`,
  sql`create index second_factor_tickets_of_user on second_factor_tickets (user_id)`,
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
  sql`create table public_keys (
    user_id text primary key references users (id) on delete cascade,
    public_key text not null,
    fingerprint text not null,
    created_at bigint not null,
    published integer not null default 1
  )`,
  sql`create table content_access (
    user_id text not null references users (id) on delete cascade,
    enabled integer not null,
    external_model text,
    features text not null,
    updated_at bigint not null,
    constraint one_consent_of_a_user primary key (user_id)
  )`,
  sql`create table suggestion_marks (
    user_id text not null references users (id) on delete cascade,
    action_key text not null,
    status integer not null,
    suggestion text not null,
    marked_at bigint not null,
    constraint one_mark_of_a_suggestion primary key (user_id, action_key)
  )`,
  sql`create table billing_customers (
    id text primary key,
    email_key text not null unique,
    user_id text unique references users (id) on delete set null,
    customer_id text unique,
    subscription_id text,
    tier text,
    status text not null,
    ends_at bigint,
    asked bigint not null,
    known bigint not null,
    created_at bigint not null
  )`,
  sql`create table billing_events (
    event_id text primary key,
    created_at bigint not null
  )`,
  sql`create table billing_farewells (
    customer_id text primary key,
    tries integer not null,
    next_at bigint not null
  )`,
];
