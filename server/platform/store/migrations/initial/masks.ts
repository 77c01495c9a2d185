import { sql } from "kysely";

/** The tables of masks, and of where their mail goes, who may write to them and which rules they have. */
export const maskTables = [
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
    public_key text,
    fingerprint text,
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
  sql`create table masks (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    destination_id text not null references destinations (id),
    email text not null,
    description text not null,
    active integer not null,
    custom_prefix text,
    spam_filter integer not null,
    rules text not null,
    metadata text not null,
    created_at bigint not null,
    updated_at bigint not null,
    paused integer not null default 0,
    deleted_at bigint,
    deleted_active integer not null default 0,
    accept_unproven integer not null default 0,
    labels text not null default '[]',
    note text not null default '',
    pinned integer not null default 0,
    when_off text not null default 'refuse',
    notify_when_off integer not null default 0,
    sender_mode text not null default 'all',
    expiry text,
    expires_at bigint,
    idle_ms bigint,
    mails_left bigint,
    expiry_from bigint,
    expiry_warned_for bigint,
    sender_shown text not null default 'account'
  )`,
  sql`create index deleted_masks on masks (deleted_at)`,
  sql`create index masks_with_expiry on masks (expires_at) where expiry is not null`,
  sql`create index listed_masks on masks (user_id, created_at, id)`,
  sql`create table mask_addresses (
    email_key text primary key,
    mask_id text references masks (id) on delete set null,
    created_at bigint not null
  )`,
  sql`create index addresses_of_mask on mask_addresses (mask_id)`,
  sql`create table mask_destinations (
    mask_id text not null references masks (id) on delete cascade,
    destination_id text not null references destinations (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    position integer not null,
    constraint destination_of_mask primary key (mask_id, destination_id)
  )`,
  sql`create index masks_of_destination on mask_destinations (destination_id)`,
  sql`create index destinations_of_masks on mask_destinations (user_id)`,
  sql`create table mask_senders (
    mask_id text not null references masks (id) on delete cascade,
    sender_hash text not null,
    user_id text not null references users (id) on delete cascade,
    list text not null,
    sealed text not null,
    created_at bigint not null,
    must_be_proven integer not null default 0,
    constraint sender_of_mask primary key (mask_id, sender_hash)
  )`,
  sql`create index senders_of_user on mask_senders (user_id)`,
  sql`create table labels (
    user_id text not null references users (id) on delete cascade,
    name text not null,
    name_key text not null,
    color text not null,
    constraint label_of_user primary key (user_id, name_key)
  )`,
  sql`create table mask_statistics (
    mask_id text primary key references masks (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    total_received bigint not null default 0,
    total_forwarded bigint not null default 0,
    spam_blocked bigint not null default 0,
    total_sent bigint not null default 0,
    last_used_at bigint,
    month text not null default '',
    month_received bigint not null default 0,
    details text not null default '{}'
  )`,
  sql`create table rule_versions (
    mask_id text not null references masks (id) on delete cascade,
    version text not null,
    rules text not null,
    created_at bigint not null,
    constraint one_list_a_version primary key (mask_id, version)
  )`,
  sql`create table account_rules (
    user_id text primary key references users (id) on delete cascade,
    before_rules text not null,
    after_rules text not null
  )`,
  sql`create table account_rule_versions (
    user_id text not null references users (id) on delete cascade,
    place text not null,
    version text not null,
    rules text not null,
    created_at bigint not null,
    constraint one_account_list_a_version primary key (user_id, place, version)
  )`,
  sql`create table account_rule_counts (
    user_id text not null references users (id) on delete cascade,
    rule_id text not null,
    applied bigint not null,
    last_at bigint not null,
    constraint count_of_account_rule primary key (user_id, rule_id)
  )`,
];
