import { sql } from "kysely";

/** The tables of accounts, of who may make one, and of what they pay. */
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
    keep_last_mails integer not null default 0,
    action_links text not null default 'off',
    key_offer text,
    unsubscribe text not null default 'as-is',
    passkey_handle text,
    passkeys_only integer not null default 0,
    passkey_offer text,
    calendars_through_mask integer not null default 1,
    mask_tags integer not null default 1
  )`,
  sql`create unique index users_by_passkey_handle on users (passkey_handle)`,
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
