import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { uniqueNumber } from "./initial/columnTypes.ts";

/** Adds the devices that get push notifications, what waits for them, and the key of the server that it is proven by. */
export const push = (engine: Engine): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    const statements = [
      sql`create table push_keys (
        id text primary key,
        public_key text not null,
        sealed text not null
      )`,
      sql`create table push_devices (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        session_id text references sessions (id) on delete set null,
        mark text not null unique,
        host text not null,
        sealed text not null,
        kinds text not null,
        masks text not null,
        quiet_hours text,
        shows_sender integer not null,
        user_agent text not null,
        created_at bigint not null,
        last_sent_at bigint
      )`,
      sql`create index push_devices_of_user on push_devices (user_id)`,
      sql`create index push_devices_of_session on push_devices (session_id)`,
      sql`create table push_messages (
        id ${uniqueNumber(engine)},
        device_id text not null references push_devices (id) on delete cascade,
        user_id text not null references users (id) on delete cascade,
        host text not null,
        kind text not null,
        body text not null,
        sealed text,
        attempts integer not null default 0,
        next_attempt_at bigint not null,
        give_up_at bigint not null,
        lease text,
        leased_until bigint not null default 0
      )`,
      sql`create index push_messages_of_device on push_messages (device_id)`,
      sql`create index push_messages_turns on push_messages (user_id, device_id, next_attempt_at)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
});
