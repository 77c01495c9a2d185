import { sql } from "kysely";

/** The tables of where mail goes, and of the domains that masks have addresses at. */
export const addressTables = [
  sql`create table destinations (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    email text not null,
    email_key text not null,
    confirmed_at bigint,
    token_hash text unique,
    token_expires_at bigint,
    asked_at bigint,
    created_at bigint not null,
    name text not null default '',
    is_default integer not null default 0,
    constraint destination_once_a_user unique (user_id, email_key)
  )`,
  sql`create table domains (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    name text not null,
    token text not null,
    proven_at bigint,
    lapsed_at bigint,
    checked_at bigint,
    next_check_at bigint,
    found text not null default '{}',
    catch_all text not null default 'off',
    patterns text not null default '[]',
    approve_first integer not null default 0,
    destination_id text references destinations (id) on delete set null,
    made_day text not null default '',
    made_count bigint not null default 0,
    dkim_private text,
    dkim_public text,
    dkim_published integer not null default 0,
    created_at bigint not null,
    constraint domain_of_user unique (user_id, name)
  )`,
  sql`create unique index proven_domain on domains (name) where proven_at is not null`,
  sql`create index domain_checks on domains (next_check_at) where next_check_at is not null`,
  sql`create index domain_destinations on domains (destination_id)`,
  sql`create table claimed_subdomains (
    name text primary key,
    user_id text references users (id) on delete set null,
    created_at bigint not null
  )`,
  sql`create index claimed_subdomains_of_user on claimed_subdomains (user_id)`,
  sql`create table removed_addresses (
    address text primary key,
    user_id text references users (id) on delete set null,
    removed_at bigint not null
  )`,
  sql`create index removed_addresses_by_user on removed_addresses (user_id)`,
];
