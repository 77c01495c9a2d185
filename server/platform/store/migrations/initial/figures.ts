import { sql } from "kysely";
import type { Engine } from "../../engine.ts";
import { clusteredByKey, rowNumber } from "./columnTypes.ts";

/** The tables of what is counted and logged. */
export const figureTables = (engine: Engine) => [
  sql`create table monthly_usage (
    user_id text not null references users (id) on delete cascade,
    month text not null,
    received bigint not null default 0,
    forwarded bigint not null default 0,
    blocked bigint not null default 0,
    announced integer not null default 0,
    own_mails bigint not null default 0,
    constraint usage_of_month primary key (user_id, month)
  )`,
  sql`create table sender_days (
    user_id text not null references users (id) on delete cascade,
    day text not null,
    source text not null,
    received bigint not null,
    most bigint not null,
    constraint sender_days_pk primary key (user_id, day, source)
  )`,
  sql`create table new_mails (
    id ${rowNumber(engine)},
    at bigint not null,
    facts text not null
  )`,
  sql`create table account_counts (
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    period text not null,
    key text not null,
    n bigint not null,
    last_at bigint not null,
    constraint one_count_of_an_account primary key (user_id, kind, period, key)
  ) ${clusteredByKey(engine)}`,
  sql`create index counts_of_day on account_counts (period) where kind = 'day'`,
  sql`create table mask_counts (
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    period text not null,
    key text not null,
    n bigint not null,
    last_at bigint not null,
    mask_id text not null references masks (id) on delete cascade,
    constraint one_count_of_a_mask primary key (user_id, kind, mask_id, period, key)
  ) ${clusteredByKey(engine)}`,
  sql`create index counts_of_mask on mask_counts (mask_id)`,
  sql`create table recent_mails (
    user_id text not null references users (id) on delete cascade,
    id ${rowNumber(engine)},
    mask_id text not null references masks (id) on delete cascade,
    at bigint not null,
    sender_domain text not null,
    category text,
    outcome text not null,
    threat_level text,
    reason text
  )`,
  sql`create index recent_mails_of_user on recent_mails (user_id, outcome, id)`,
  sql`create index recent_mails_of_mask on recent_mails (mask_id)`,
  sql`create table log_entries (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    mask_id text not null,
    at bigint not null,
    result text not null,
    detail text,
    sealed integer not null,
    direction text not null default 'received'
  )`,
  sql`create index log_of_user on log_entries (user_id, id)`,
  sql`create index log_of_mask on log_entries (mask_id, id)`,
  sql`create table log_steps (
    entry_id text not null references log_entries (id) on delete cascade,
    copy_id text not null,
    state text not null,
    at bigint not null,
    times integer not null,
    detail text,
    sealed integer not null,
    constraint step_of_entry primary key (entry_id, copy_id, state)
  )`,
];
