import { sql } from "kysely";

/** The tables of rules, and of their earlier versions. */
export const ruleTables = [
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
