import { sql } from "kysely";
import type { Engine } from "../../engine.ts";
import { binary } from "./columnTypes.ts";

/** The tables of mail that is kept, of how much is, and of correspondents. */
export const keptMailTables = (engine: Engine) => [
  sql`create table held_mails (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    mask_id text,
    direction text not null,
    reason text not null,
    sealed text not null,
    held_at bigint not null,
    noticed_at bigint,
    recipients text
  )`,
  sql`create index held_mails_of_user on held_mails (user_id, held_at)`,
  sql`create table archived_mails (
    user_id text not null references users (id) on delete cascade,
    id text primary key,
    mask_id text not null,
    content ${binary(engine)} not null,
    size bigint not null,
    read integer not null,
    created_at bigint not null,
    keep_until bigint,
    expires_at bigint,
    network text
  )`,
  sql`create index archived_mails_of_user on archived_mails (user_id, created_at)`,
  sql`create index archived_bytes on archived_mails (user_id, network, size)`,
  sql`create index archived_mails_by_expiry on archived_mails (expires_at)`,
  sql`create table last_mails (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    mask_id text not null references masks (id) on delete cascade,
    received_at bigint not null,
    size bigint not null,
    content ${binary(engine)} not null
  )`,
  sql`create index last_mails_of_user on last_mails (user_id, received_at)`,
  sql`create index last_mails_of_mask on last_mails (mask_id, received_at)`,
  sql`create table digest_mails (
    user_id text not null references users (id) on delete cascade,
    id text primary key,
    mask_id text not null,
    recipient text not null,
    content ${binary(engine)} not null,
    size bigint not null,
    created_at bigint not null,
    daily integer not null default 0,
    network text
  )`,
  sql`create index digest_mails_in_order on digest_mails (user_id, recipient, created_at)`,
  sql`create table kept_bytes (
    user_id text not null references users (id) on delete cascade,
    network text not null,
    bytes bigint not null,
    archived bigint not null,
    constraint kept_bytes_of_network primary key (user_id, network)
  )`,
  sql`create table network_bytes (
    network text primary key,
    bytes bigint not null
  )`,
  sql`create table automatic_answers (
    user_id text not null references users (id) on delete cascade,
    mask_id text not null references masks (id) on delete cascade,
    sender_hash text not null,
    answered_at bigint not null,
    constraint answered_once_a_while primary key (mask_id, sender_hash)
  )`,
  sql`create index automatic_answers_of_user on automatic_answers (user_id, answered_at)`,
  sql`create table reverse_addresses (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    mask_id text not null references masks (id) on delete cascade,
    correspondent_hash text not null,
    sealed text not null,
    created_at bigint not null,
    last_in_at bigint,
    last_out_at bigint,
    replies bigint not null,
    is_link integer not null default 0,
    is_opened integer not null default 0
  )`,
  sql`create index unanswered_reverse_addresses on reverse_addresses (last_in_at) where last_out_at is null`,
  sql`create index reverse_addresses_of_mask on reverse_addresses (mask_id, correspondent_hash)`,
  sql`create index reverse_addresses_of_user on reverse_addresses (user_id)`,
  sql`create table daily_replies (
    user_id text not null references users (id) on delete cascade,
    day text not null,
    sent bigint not null,
    failed bigint not null default 0,
    constraint daily_replies_pk primary key (user_id, day)
  )`,
];
