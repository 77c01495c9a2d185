import { sql } from "kysely";

/** The tables of what receivers of mail report. */
export const receiverTables = [
  sql`create table receiver_reports (
    id text primary key,
    kind text not null,
    reporter text not null,
    author_domain text not null,
    is_proven integer not null,
    report_id text not null,
    domain text not null,
    begins_at bigint not null,
    ends_at bigint not null,
    row_count integer not null,
    received_at bigint not null,
    unique (kind, author_domain, is_proven, report_id, domain)
  )`,
  sql`create index receiver_reports_received on receiver_reports (received_at)`,
  sql`create table dmarc_report_rows (
    report_id text not null references receiver_reports (id) on delete cascade,
    source_ip text not null,
    disposition text not null,
    dkim text not null,
    spf text not null,
    reason text not null,
    count bigint not null
  )`,
  sql`create index dmarc_report_rows_of_report on dmarc_report_rows (report_id)`,
  sql`create table tls_report_rows (
    report_id text not null references receiver_reports (id) on delete cascade,
    policy_type text not null,
    result text not null,
    server text not null,
    count bigint not null
  )`,
  sql`create index tls_report_rows_of_report on tls_report_rows (report_id)`,
  sql`create table tls_report_counts (
    day text not null,
    domain text not null,
    policy text not null,
    result text not null,
    server text not null,
    count bigint not null,
    primary key (day, domain, policy, result, server)
  )`,
  sql`create table complaints (
    queue_id text primary key,
    user_id text not null references users (id) on delete cascade,
    mask_id text not null,
    type text not null,
    created_at bigint not null
  )`,
  sql`create index complaints_of_mask on complaints (mask_id, created_at)`,
  sql`create index complaints_of_user on complaints (user_id)`,
];
