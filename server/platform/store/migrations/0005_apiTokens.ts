import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** API tokens of users, and the networks that each was used from. */
export const apiTokens: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table api_tokens (
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
    )`.execute(db);
    await sql`create index api_tokens_of_user on api_tokens (user_id)`.execute(db);
    await sql`create index api_tokens_by_end on api_tokens (expires_at)`.execute(db);
    await sql`create table api_token_networks (
      token_id text not null references api_tokens (id) on delete cascade,
      network text not null,
      constraint network_of_token_once primary key (token_id, network)
    )`.execute(db);
  },
};
