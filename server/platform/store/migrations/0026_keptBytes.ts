import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How many bytes of mail are kept for each account, and of each network, with those that are stored already. */
export const keptBytes: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table kept_bytes (
      user_id text not null references users (id) on delete cascade,
      network text not null,
      bytes bigint not null,
      archived bigint not null,
      constraint kept_bytes_of_network primary key (user_id, network)
    )`.execute(db);
    await sql`create table network_bytes (network text primary key, bytes bigint not null)`.execute(db);
    await sql`alter table queue add column network text`.execute(db);
    await sql`alter table queue add column counted integer not null default 0`.execute(db);
    await sql`alter table archived_mails add column network text`.execute(db);
    await sql`alter table digest_mails add column network text`.execute(db);
    await sql`update queue set counted = 1 where user_id is not null
      and (status in ('held', 'unsent') or (status = 'waiting' and lease is null))`.execute(db);
    await sql`create index counted_mails on queue (user_id, network, size) where counted = 1`.execute(db);
    await sql`create index archived_bytes on archived_mails (user_id, network, size)`.execute(db);
    await sql`insert into kept_bytes (user_id, network, bytes, archived)
      select user_id, '', sum(size), sum(archived)
      from (
        select user_id, size, 0 as archived from queue where counted = 1
        union all select user_id, size, size from archived_mails
        union all select user_id, size, 0 from digest_mails
      ) as kept group by user_id`.execute(db);
  },
};
