import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { uniqueNumber } from "./initial/columnTypes.ts";

/** Addresses of users that are told of events, and the messages to them. */
export const webhooks = (engine: Engine): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table webhooks (
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
    )`.execute(db);
    await sql`create index webhooks_of_user on webhooks (user_id)`.execute(db);
    await sql`create table webhook_messages (
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
    )`.execute(db);
    await sql`create index webhook_messages_due on webhook_messages (next_attempt_at) where state = 'waiting'`.execute(
      db,
    );
    await sql`create index webhook_messages_of_webhook on webhook_messages (webhook_id, id)`.execute(db);
    await sql`create index webhook_messages_of_user on webhook_messages (user_id)`.execute(db);
  },
});
