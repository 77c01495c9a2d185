import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The providers in the table of the relay when this was written. */
const providers =
  "google microsoft yahoo icloud gmx ionos telekom comcast orange libero proofpoint mimecast zoho fastmail proton yandex mailru qq netease".split(
    " ",
  );

/** How much mail large providers are sent, and what receivers of mail report. */
export const receivers: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table provider_limits (
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
    )`.execute(db);
    await sql`create table receiver_reports (
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
    )`.execute(db);
    await sql`create index receiver_reports_received on receiver_reports (received_at)`.execute(db);
    await sql`create table dmarc_report_rows (
      report_id text not null references receiver_reports (id) on delete cascade,
      source_ip text not null,
      disposition text not null,
      dkim text not null,
      spf text not null,
      reason text not null,
      count bigint not null
    )`.execute(db);
    await sql`create index dmarc_report_rows_of_report on dmarc_report_rows (report_id)`.execute(db);
    await sql`create table tls_report_rows (
      report_id text not null references receiver_reports (id) on delete cascade,
      policy_type text not null,
      result text not null,
      server text not null,
      count bigint not null
    )`.execute(db);
    await sql`create index tls_report_rows_of_report on tls_report_rows (report_id)`.execute(db);
    await sql`create table complaints (
      queue_id text primary key,
      user_id text not null references users (id) on delete cascade,
      mask_id text not null,
      type text not null,
      created_at bigint not null
    )`.execute(db);
    await sql`create index complaints_of_mask on complaints (mask_id, created_at)`.execute(db);
    await sql`create index complaints_of_user on complaints (user_id)`.execute(db);
    await sql`create table tls_report_counts (
      day text not null,
      domain text not null,
      policy text not null,
      result text not null,
      server text not null,
      count bigint not null,
      primary key (day, domain, policy, result, server)
    )`.execute(db);
    // Policies are fetched for direct delivery only: an installation that has some is known to the providers already.
    for (const provider of providers)
      await sql`insert into provider_limits (provider, paid_until, paused_until, pauses)
        select cast(${provider} as text), 0, 0, 0 where exists (select 1 from tls_policies)`.execute(db);
  },
};
