import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";

/** Indexes of `queue`, and what each is on. */
const queueIndexes = {
  queue_due: "(next_attempt_at) where status = 'waiting'",
  queue_of_user: "(user_id)",
  queue_of_body: "(body_id) where body_id is not null",
  failed_mails: "(finished_at) where status = 'failed'",
  logged_copies: "(log_id) where log_id is not null",
};

/** The table becomes the part for everything that is in no other one, with its rows where they are. */
const partitionQueue = async (db: Kysely<never>): Promise<void> => {
  await sql`alter table queue rename to queue_default`.execute(db);
  await sql`alter table queue_default alter column id type text collate "C"`.execute(db);
  await sql`alter index queue_pkey rename to queue_default_pkey`.execute(db);
  await sql`create table queue (like queue_default including defaults) partition by range (id)`.execute(db);
  await sql`alter table queue add constraint queue_pkey primary key (id)`.execute(db);
  await sql`alter table queue add constraint queue_user_id_fkey
    foreign key (user_id) references users (id) on delete cascade`.execute(db);
  for (const [name, on] of Object.entries(queueIndexes)) {
    await sql`alter index ${sql.ref(name)} rename to ${sql.ref(`${name}_default`)}`.execute(db);
    await sql`create index ${sql.ref(name)} on queue ${sql.raw(on)}`.execute(db);
  }
  await sql`alter table queue attach partition queue_default default`.execute(db);
};

/** Parts have no identity before PostgreSQL 17; a sequence counts on from where it was. */
const partitionEvents = async (db: Kysely<never>): Promise<void> => {
  const { rows } = await sql<{ next: string }>`
    select cast(nextval(pg_get_serial_sequence('events', 'id')) as text) as next`.execute(db);
  await sql`alter table events rename to events_default`.execute(db);
  await sql`alter table events_default alter column id drop identity`.execute(db);
  await sql`create sequence events_id_seq start ${sql.raw(String(Number(rows[0]?.next ?? 1)))}`.execute(db);
  await sql`alter table events_default drop constraint events_pkey`.execute(db);
  await sql`alter table events_default add constraint events_default_pkey primary key (id, created_at)`.execute(
    db,
  );
  await sql`alter index events_of_user rename to events_of_user_default`.execute(db);
  await sql`create table events (like events_default) partition by range (created_at)`.execute(db);
  await sql`alter table events alter column id set default nextval('events_id_seq')`.execute(db);
  await sql`alter sequence events_id_seq owned by events.id`.execute(db);
  await sql`alter table events add constraint events_pkey primary key (id, created_at)`.execute(db);
  await sql`create index events_of_user on events (user_id, id)`.execute(db);
  await sql`alter table events attach partition events_default default`.execute(db);
};

/** The tasks that processes share; on PostgreSQL the queue and the events are kept in parts by time. */
export const tasksAndPartitions = (engine: Engine): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table tasks (
      name text primary key,
      holder text,
      held_until bigint not null default 0,
      finished_at bigint not null default 0
    )`.execute(db);
    if (engine.name !== "postgresql") return;
    await partitionQueue(db);
    await partitionEvents(db);
  },
});
