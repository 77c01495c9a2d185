import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Adds the mails of a mailbox at a provider that need not be fetched again. */
export const mailboxMails: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table mailbox_mails (
      mailbox text not null,
      uid_validity bigint not null,
      uid bigint not null,
      state text not null,
      recorded_at bigint not null,
      primary key (mailbox, uid_validity, uid)
    )`.execute(db);
  },
};
