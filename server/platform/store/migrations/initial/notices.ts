import { sql } from "kysely";
import type { Engine } from "../../engine.ts";
import { uniqueNumber } from "./columnTypes.ts";
import { indexOfParts, inParts, restOfParts } from "./parts.ts";

/** Parts have no identity before PostgreSQL 17, so a sequence numbers their rows. */
const eventTable = (engine: Engine) => {
  const isInParts = engine.name === "postgresql";
  return [
    sql`create table events (
      id ${sql.raw(isInParts ? "bigint" : "integer primary key")},
      user_id text not null,
      resource text not null,
      resource_id text,
      action text not null,
      created_at bigint not null,
      client_id text
      ${sql.raw(isInParts ? ", primary key (id, created_at)" : "")}
    ) ${inParts(engine, "created_at")}`,
    ...restOfParts(engine, "events"),
    ...(isInParts
      ? [
          sql`create sequence events_id_seq owned by events.id`,
          sql`alter table only events alter column id set default nextval('events_id_seq')`,
        ]
      : []),
    ...indexOfParts(engine, "events", "events_of_user", "(user_id, id)"),
  ];
};

/** The tables of what users and their devices are told. */
export const noticeTables = (engine: Engine) => [
  sql`create table notifications (
    id ${uniqueNumber(engine)},
    user_id text not null references users (id) on delete cascade,
    type text not null,
    priority text not null,
    message text not null,
    created_at bigint not null,
    read_at bigint,
    held_id text,
    mask_id text,
    sender text,
    place text
  )`,
  sql`create index notifications_in_order on notifications (user_id, id)`,
  ...eventTable(engine),
];
