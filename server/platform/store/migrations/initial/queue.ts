import { sql } from "kysely";
import type { Engine } from "../../engine.ts";
import { binary, clusteredByKey } from "./columnTypes.ts";
import { indexOfParts, inParts, restOfParts } from "./parts.ts";

/** The tables of mail that is being delivered, and of what signs it. */
export const deliveryTables = (engine: Engine) => [
  sql`create table queue (
    id text ${sql.raw(engine.name === "postgresql" ? 'collate "C"' : "")} primary key,
    user_id text references users (id) on delete cascade,
    mask_id text,
    envelope_sender text not null,
    recipient text not null,
    content ${binary(engine)},
    size integer not null,
    status text not null,
    attempts integer not null,
    next_attempt_at bigint not null,
    lease text,
    leased_until bigint not null,
    last_answer text,
    created_at bigint not null,
    finished_at bigint,
    body_id text,
    body_head integer not null default 0,
    report_to text,
    delay_noticed_at bigint,
    log_id text,
    network text,
    counted integer not null default 0
  ) ${inParts(engine, "id")}`,
  ...restOfParts(engine, "queue"),
  ...indexOfParts(engine, "queue", "queue_due", "(next_attempt_at) where status = 'waiting'"),
  ...indexOfParts(engine, "queue", "queue_of_user", "(user_id)"),
  ...indexOfParts(engine, "queue", "queue_of_body", "(body_id) where body_id is not null"),
  ...indexOfParts(engine, "queue", "failed_mails", "(finished_at) where status = 'failed'"),
  ...indexOfParts(engine, "queue", "logged_copies", "(log_id) where log_id is not null"),
  sql`create index counted_mails on queue (user_id, network, size) where counted = 1`,
  sql`create table bodies (
    id text not null,
    part integer not null,
    content ${binary(engine)},
    file_key text,
    skip integer not null default 0,
    segment_start bigint,
    segment_length bigint,
    segment text,
    constraint part_of_body primary key (id, part)
  ) ${clusteredByKey(engine)}`,
  sql`create index bodies_of_segment on bodies (segment) where segment is not null`,
  sql`create table lease_holders (
    id text primary key,
    beat bigint not null,
    seen_beat bigint not null default -1,
    seen_at bigint not null default 0
  )`,
  sql`create table lease_clock (
    id integer primary key,
    elapsed bigint not null,
    read_at bigint not null
  )`,
  sql`create table sent_message_ids (
    queue_id text primary key,
    message_hash text not null,
    created_at bigint not null
  )`,
  sql`create index sent_message_ids_by_hash on sent_message_ids (message_hash)`,
  sql`create table sent_reports (
    sender_hash text not null,
    day text not null,
    sent bigint not null,
    constraint reports_of_day primary key (sender_hash, day)
  )`,
  sql`create table dkim_keys (
    selector text primary key,
    algorithm text not null,
    state text not null,
    private_key text not null,
    public_key text not null,
    created_at bigint not null,
    active_from bigint,
    retired_at bigint
  )`,
  sql`create table tls_policies (
    domain text primary key,
    policy_id text not null,
    mode text not null,
    servers text not null,
    fetched_at bigint not null,
    expires_at bigint not null
  )`,
  sql`create index tls_policies_by_end on tls_policies (expires_at)`,
  sql`create table provider_limits (
    provider text primary key,
    per_hour bigint,
    rated_at bigint,
    paid_until bigint not null,
    paused_until bigint not null,
    pauses integer not null,
    accepted_at bigint,
    answer text,
    reason text,
    answered_at bigint
  )`,
];
