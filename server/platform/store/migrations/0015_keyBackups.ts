import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Backups of private keys that passkeys open: one a passkey, locked with a secret that the server never sees. */
export const keyBackups: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table key_backups (
      passkey_id text primary key references passkeys (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      fingerprint text not null,
      backup text not null,
      created_at bigint not null
    )`.execute(db);
    await sql`create index key_backups_of_user on key_backups (user_id)`.execute(db);
  },
};
