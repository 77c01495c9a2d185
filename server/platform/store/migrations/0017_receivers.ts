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
    // Policies are fetched for direct delivery only: an installation that has some is known to the providers already.
    for (const provider of providers)
      await sql`insert into provider_limits (provider, paid_until, paused_until, pauses)
        select cast(${provider} as text), 0, 0, 0 where exists (select 1 from tls_policies)`.execute(db);
  },
};
