import { sql } from "kysely";
import type { Engine } from "../../engine.ts";

/** The tables of the installation, and of what its processes share. */
export const processTables = (engine: Engine) => [
  sql`create table installation (
    id text primary key,
    keys_mark text not null,
    mask_domain text not null,
    names_checked_at bigint
  )`,
  sql`create table tasks (
    name text primary key,
    holder text,
    held_until bigint not null default 0,
    finished_at bigint not null default 0
  )`,
  // Of no use after a crash, so PostgreSQL does not log it.
  sql`create ${sql.raw(engine.name === "postgresql" ? "unlogged table" : "table")} shared_rates (
    key text primary key,
    used double precision not null,
    burst double precision not null,
    per_second double precision not null,
    changed_at double precision not null,
    free_at double precision not null
  )`,
  sql`create index shared_rates_by_change on shared_rates (changed_at)`,
];
