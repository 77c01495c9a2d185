import { sql } from "kysely";
import type { Engine } from "../../engine.ts";
import { uniqueNumber } from "./columnTypes.ts";

/** The tables of programs that act for users, and of what they are told. */
export const programTables = (engine: Engine) => [
  sql`create table api_tokens (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    hash text not null unique,
    scopes text not null,
    domain text,
    created_at bigint not null,
    expires_at bigint,
    end_noticed integer not null default 0,
    last_used_at bigint,
    last_network text
  )`,
  sql`create index api_tokens_of_user on api_tokens (user_id)`,
  sql`create index api_tokens_by_end on api_tokens (expires_at)`,
  sql`create table api_token_networks (
    token_id text not null references api_tokens (id) on delete cascade,
    network text not null,
    constraint network_of_token_once primary key (token_id, network)
  )`,
  sql`create table webhooks (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    url text not null,
    host text not null,
    secret text not null,
    earlier_secret text,
    earlier_until bigint,
    events text not null,
    labels text not null,
    includes_content integer not null,
    active integer not null,
    paused_because text,
    failing_since bigint,
    created_at bigint not null
  )`,
  sql`create index webhooks_of_user on webhooks (user_id)`,
  sql`create table webhook_messages (
    id ${uniqueNumber(engine)},
    webhook_id text not null references webhooks (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    host text not null,
    type text not null,
    body text not null,
    sealed text,
    state text not null,
    attempts integer not null,
    next_attempt_at bigint not null,
    give_up_at bigint not null,
    lease text,
    leased_until bigint not null default 0,
    status integer,
    failure text,
    answer text,
    duration_ms integer,
    created_at bigint not null
  )`,
  sql`create index webhook_messages_of_webhook on webhook_messages (webhook_id, id)`,
  sql`create index webhook_messages_of_user on webhook_messages (user_id)`,
  sql`create index webhook_messages_turns on webhook_messages (user_id, webhook_id, next_attempt_at)
    where state = 'waiting'`,
  sql`create table public_numbers (
    user_id text not null constraint public_numbers_user_id_fkey1 references users (id) on delete cascade,
    number bigint not null,
    kind text not null,
    entity_id text not null,
    constraint public_numbers_pkey1 primary key (user_id, number),
    unique (user_id, kind, entity_id)
  )`,
];
