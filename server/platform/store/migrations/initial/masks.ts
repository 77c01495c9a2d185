import { sql } from "kysely";

/** The tables of masks, and of who writes to them. */
export const maskTables = [
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
    sender_shown text not null default 'account',
    action_links text not null default 'account',
    made_for text not null default '',
    unsubscribe text not null default 'account',
    kept_in_app text not null default 'no',
    extension text
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
  sql`create table shown_descriptions (
    mask_id text not null references masks (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    description text not null,
    first_shown_at bigint not null,
    constraint shown_descriptions_pk primary key (mask_id, description)
  )`,
  sql`create index shown_descriptions_of_user on shown_descriptions (user_id)`,
  sql`create table mailing_lists (
    mask_id text not null references masks (id) on delete cascade,
    id text not null,
    user_id text not null references users (id) on delete cascade,
    sealed text not null,
    seen_at bigint not null,
    left_at bigint,
    primary key (mask_id, id)
  )`,
  sql`create index mailing_lists_of_user on mailing_lists (user_id)`,
  sql`create table unsubscribings (
    link_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    state text not null,
    at bigint not null
  )`,
  sql`create index unsubscribings_of_user on unsubscribings (user_id, at)`,
  sql`create index unsubscribings_by_time on unsubscribings (at)`,
];
